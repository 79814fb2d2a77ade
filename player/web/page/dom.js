// SPDX-License-Identifier: MIT
// Small helpers for the elements of the page.

/**
 * Returns the element with an id.
 *
 * @template {Element} T
 * @param {string} id
 * @param {new () => T} type
 * @returns {T}
 */
export function byId(id, type) {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new Error(`The page has no ${type.name} "${id}".`);
  return element;
}

/**
 * Creates an element. Strings in `children` become text, so names from files cannot contain markup.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {{[property: string]: unknown}} properties DOM properties, and attributes whose names contain a hyphen.
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes('-')) element.setAttribute(name, String(value));
    else Object.assign(element, {[name]: value});
  }
  element.append(...children);
  return element;
}

/**
 * Sets the text of an element only if it differs, so that panels can be updated every frame.
 *
 * @param {Element} element
 * @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Sets an attribute only if it differs.
 *
 * @param {Element} element
 * @param {string} name
 * @param {string} value
 */
export function setAttribute(element, name, value) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/**
 * Returns a color of the page's theme.
 *
 * @param {Element} element
 * @param {string} name The custom property without its hyphens.
 * @returns {string}
 */
export function themeColor(element, name) {
  return getComputedStyle(element).getPropertyValue(`--${name}`).trim();
}

/**
 * Returns a count with its noun: "1 bone", "23 bones".
 *
 * @param {number} count
 * @param {string} singular
 * @param {string} plural
 * @returns {string}
 */
export function counted(count, singular, plural = `${singular}s`) {
  return `${count.toLocaleString('en')} ${count === 1 ? singular : plural}`;
}

/**
 * Returns a size in bytes as text.
 *
 * @param {number} bytes
 * @returns {string}
 */
export function byteText(bytes) {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} kB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
