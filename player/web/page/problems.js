// SPDX-License-Identifier: MIT
// The panel with the file's problems, in the words of `pchr validate`.
import {byId, counted, make, setText} from './dom.js';

/** @typedef {import('./player.js').Player} Player */
/** @typedef {NonNullable<Player['character']>['info']['diagnostics'][number]} Diagnostic */

/**
 * Returns where a problem is: "line 3, column 7" or "byte 105020", or an empty text.
 *
 * @param {{byte: number | null, line: number, column: number}} place
 */
export function placeText({byte, line, column}) {
  if (line > 0) return `line ${line}, column ${column}`;
  return byte === null ? '' : `byte ${byte}`;
}

/** @param {Diagnostic} diagnostic */
function kindOf(diagnostic) {
  if (diagnostic.severity === 'error') return 'error';
  return diagnostic.severity === 'note' || diagnostic.id.startsWith('W4') ? 'hint' : 'warning';
}

const ORDER = ['error', 'warning', 'hint'];

/**
 * Returns the function that shows the panel.
 *
 * @param {Player} player
 * @returns {() => void}
 */
export function createProblems(player) {
  const panel = byId('problems', HTMLElement);
  const badge = byId('problem-count', HTMLElement);
  /** @type {readonly Diagnostic[] | null | undefined} */
  let shown;
  return () => {
    const diagnostics = player.character?.info.diagnostics ?? null;
    if (shown === diagnostics) return;
    shown = diagnostics;
    const problems = [...(diagnostics ?? [])];
    problems.sort((a, b) => ORDER.indexOf(kindOf(a)) - ORDER.indexOf(kindOf(b)));
    setText(badge, problems.length > 0 ? String(problems.length) : '');
    badge.className = problems.length > 0 ? `badge ${kindOf(problems[0])}` : '';
    badge.title = problems.length > 0 ? counted(problems.length, 'problem') : '';
    panel.replaceChildren(...parts(player, problems));
  };
}

/**
 * @param {Player} player
 * @param {Diagnostic[]} problems
 */
function parts(player, problems) {
  if (!player.character) return ['No file is open.'];
  if (problems.length === 0) return ['No problems found.'];
  const copy = make('button', {type: 'button', title: 'Copy all problems as text'}, 'Copy all');
  copy.addEventListener('click', () => copyAll(player, problems));
  return [
    make('div', {className: 'row'}, make('h3', {}, counted(problems.length, 'problem')), copy),
    make('ul', {className: 'problems'}, ...problems.map((problem) => {
      const kind = kindOf(problem);
      const place = placeText(problem);
      const where = place === '' ? [] : [make('p', {className: 'dim'}, place)];
      return make('li', {className: kind},
        make('p', {}, make('span', {className: 'kind'}, `${kind} ${problem.id}`), ' ', problem.message),
        ...where, make('p', {className: 'dim'}, problem.hint));
    })),
  ];
}

/**
 * @param {Player} player
 * @param {Diagnostic[]} problems
 */
async function copyAll(player, problems) {
  const lines = problems.map((problem) => {
    const place = placeText(problem);
    const where = place === '' ? '' : ` (${place})`;
    return `${player.name}: ${problem.severity} ${problem.id}: ${problem.message}${where}\n  hint: ${problem.hint}\n`;
  });
  try {
    await navigator.clipboard.writeText(lines.join(''));
    player.announce('Copied');
  } catch {
    player.announce('The browser does not allow copying here');
  }
}
