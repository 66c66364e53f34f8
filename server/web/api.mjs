// The API, asked by a page for the person who has signed in.

/** Sends a request; the answer is one that was taken, or its message is thrown. `body`: what becomes JSON. */
export async function send(method, path, { app, token }, body, { headers = {}, signal } = {}) {
  const answer = await fetch(path, {
    method, signal, body: body === undefined ? undefined : JSON.stringify(body),
    headers: { 'Content-Type': 'application/json', 'Plot-App': app, 'Plot-Form-Token': token, ...headers },
  });
  if (answer.ok) return answer;
  const { error } = await answer.json();
  throw Object.assign(new Error(error.message), { status: answer.status });
}

/** The app and the token of a form's page. */
export const by = (form) => ({ app: form.dataset.app, token: form.elements.formToken.value });
