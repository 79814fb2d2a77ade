// SPDX-License-Identifier: MIT
// The tabs: all panels in a narrow window, those without room of their own in a wide one.
import {byId} from './dom.js';

const NAMES = ['clips', 'view', 'info', 'problems'];
/** Keep in step with page.css. */
const WIDE = '(min-width: 60em)';

/**
 * Makes the tabs work and returns the function that brings one to the front.
 *
 * @returns {(name: string) => void}
 */
export function createTabs() {
  const tabs = NAMES.map((name) => byId(`${name}-tab`, HTMLButtonElement));
  const panels = NAMES.map((name) => byId(name, HTMLElement));
  const wide = matchMedia(WIDE);
  const isTab = (/** @type {number} */ index) => !wide.matches || index >= 2;
  let front = 2;

  const show = () => {
    if (!isTab(front)) front = 2;
    tabs.forEach((tab, index) => {
      tab.hidden = !isTab(index);
      tab.setAttribute('aria-selected', String(index === front));
      tab.tabIndex = index === front ? 0 : -1;
      panels[index].hidden = isTab(index) && index !== front;
      panels[index].setAttribute('role', isTab(index) ? 'tabpanel' : 'region');
    });
  };
  const select = (/** @type {number} */ index) => {
    front = index;
    show();
  };
  tabs.forEach((tab, index) => {
    tab.addEventListener('click', () => select(index));
    tab.addEventListener('keydown', (event) => {
      const direction = {ArrowLeft: -1, ArrowRight: 1}[event.key];
      if (!direction) return;
      event.preventDefault();
      let next = index;
      do next = (next + direction + tabs.length) % tabs.length;
      while (!isTab(next));
      select(next);
      tabs[next].focus();
    });
  });
  wide.addEventListener('change', show);
  if (!wide.matches) front = 0;
  show();
  return (name) => select(NAMES.indexOf(name));
}
