'use strict';
const { statuses } = require('./raw.js');

/** The kind of an error of this package's own, of which no more is known than its status. */
const kindOf = (code) => code.replace(/^PLOT_/, '').toLowerCase().replaceAll('_', '-');
const pageOf = (kind) => `docs/errors.md#${kind}`;

/** A refusal of the engine, and its place. `code` is the name of the status, such as "PLOT_OUT_OF_ORDER". */
class PlotError extends Error {
  constructor(message, { code, status, line = 0, column = 0, pointer = '', expected = '', found = '', kind = kindOf(code), page = pageOf(kind), cure = '' }) {
    super(message);
    this.code = code;
    this.status = status;
    this.line = line;
    this.column = column;
    this.pointer = pointer;
    this.expected = expected;
    this.found = found;
    this.kind = kind;
    this.page = page;
    this.cure = cure;
  }
}
Object.defineProperty(PlotError.prototype, 'name', { value: 'PlotError', configurable: true, writable: true });

const named = (code, message) => new PlotError(message, { code, status: statuses[code] });

/** A value that cannot be handed to the library at all. */
const fault = (message) => named('PLOT_INVALID_ARGUMENT', message);
const closed = (what) => named('PLOT_CLOSED', `The ${what} is closed.`);

module.exports = { PlotError, named, fault, closed };
