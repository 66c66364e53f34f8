'use strict';
// As much of a page as the scripts of an app ask for, where there is no markup: each element that is asked for is there.

/** A thing with listeners: an element, the document, the window. */
class Target {
  #listeners = new Map();

  addEventListener(name, listener) {
    if (!this.#listeners.has(name)) this.#listeners.set(name, new Set());
    this.#listeners.get(name).add(listener);
  }

  removeEventListener(name, listener) { this.#listeners.get(name)?.delete(listener); }

  dispatchEvent(event) {
    const { type } = event;
    for (const listener of [...this.#listeners.get(type) ?? []]) {
      if (typeof listener === 'function') listener.call(this, event);
      else listener.handleEvent(event);
    }
    this[`on${type}`]?.(event);
    return true;
  }
}

class Element extends Target {
  #found = new Map(); // by selector
  #attributes = new Map();
  children = [];
  innerHTML = '';
  value = '';
  style = {};

  constructor(name) {
    super();
    this.tagName = name.toUpperCase();
    const classes = new Set();
    this.classList = {
      add: (...names) => names.forEach((one) => classes.add(one)),
      remove: (...names) => names.forEach((one) => classes.delete(one)),
      contains: (one) => classes.has(one),
      toggle: (one) => (classes.has(one) ? (classes.delete(one), false) : (classes.add(one), true)),
    };
  }

  get textContent() { return this.innerHTML; }
  set textContent(text) { this.innerHTML = String(text); }
  get innerText() { return this.innerHTML; }
  set innerText(text) { this.innerHTML = String(text); }

  getAttribute(name) { return this.#attributes.get(name) ?? null; }
  setAttribute(name, value) { this.#attributes.set(name, String(value)); }
  removeAttribute(name) { this.#attributes.delete(name); }

  querySelector(selector) {
    if (!this.#found.has(selector)) this.#found.set(selector, new Element('div'));
    return this.#found.get(selector);
  }
  querySelectorAll(selector) { return [this.querySelector(selector)]; }
  getElementsByClassName(name) { return this.querySelectorAll(`.${name}`); }
  getElementsByTagName(name) { return this.querySelectorAll(name); }

  appendChild(child) {
    this.children.push(child);
    return child;
  }
  removeChild(child) {
    this.children = this.children.filter((one) => one !== child);
    return child;
  }
  click() { this.dispatchEvent({ type: 'click', target: this, preventDefault() {}, stopPropagation() {} }); }
}

class Document extends Element {
  body = new Element('body');
  head = new Element('head');
  readyState = 'complete';

  constructor() { super('#document'); }
  getElementById(id) { return this.querySelector(`#${id}`); }
  createElement(name) { return new Element(name); }
  createTextNode(text) { return Object.assign(new Element('#text'), { innerHTML: String(text) }); }
}

/** Texts by key, as the Web Storage API has them, but forgotten with the page. */
function storage() {
  const texts = new Map();
  return {
    get length() { return texts.size; },
    key: (index) => [...texts.keys()][index] ?? null,
    getItem: (key) => texts.get(String(key)) ?? null,
    setItem: (key, text) => { texts.set(String(key), String(text)); },
    removeItem: (key) => { texts.delete(String(key)); },
    clear: () => { texts.clear(); },
  };
}

/** The globals of a page that a host was not given. */
function page(log) {
  const target = new Target();
  return {
    document: new Document(),
    localStorage: storage(),
    sessionStorage: storage(),
    navigator: { userAgent: 'plotengine', language: 'en', onLine: true },
    location: { href: 'file:///index.html', protocol: 'file:', reload() {} },
    alert: log,
    addEventListener: target.addEventListener.bind(target),
    removeEventListener: target.removeEventListener.bind(target),
    dispatchEvent: target.dispatchEvent.bind(target),
  };
}

module.exports = { page };
