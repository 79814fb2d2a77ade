// SPDX-License-Identifier: MIT
// Errors in files, and in the use of characters.

/**
 * Problem in a file, as `pchr validate` reports it.
 * @typedef {object} Diagnostic
 * @property {string} id  Such as "E114"; empty for failures that no file causes.
 * @property {'error' | 'warning' | 'note'} severity
 * @property {string} message
 * @property {string} hint  What to do about it. Can be empty.
 * @property {string} path  Place in the file, such as "meshes[3].image". Can be empty.
 * @property {number | null} byte  Offset in the file.
 * @property {number} line  0 if unknown.
 * @property {number} column  0 if unknown.
 */

/** Error in a file, or in the use of one. */
export class CharacterError extends Error {
  /** @param {Partial<Diagnostic>} diagnostic @param {ErrorOptions} [options] */
  constructor(diagnostic, options) {
    super(diagnostic.message, options);
    this.name = 'CharacterError';
    /** Identifier such as "E114", as in docs/errors.md. Empty for failures that no file causes. */
    this.id = diagnostic.id ?? '';
    /** What to do about it. Can be empty. */
    this.hint = diagnostic.hint ?? '';
    /** Place in the file, such as "meshes[3].image". Can be empty. */
    this.path = diagnostic.path ?? '';
    /** Offset in the file, or null. */
    this.byte = diagnostic.byte ?? null;
    /** Line and column in the file, or 0. */
    this.line = diagnostic.line ?? 0;
    this.column = diagnostic.column ?? 0;
  }

  /** Place in the file in words, such as "meshes[3].image (byte 112)". Can be empty. */
  get place() {
    const position = this.line > 0 ? `line ${this.line}, column ${this.column}`
      : this.byte !== null ? `byte ${this.byte}` : '';
    return this.path && position ? `${this.path} (${position})` : this.path || position;
  }
}
