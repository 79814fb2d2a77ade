// SPDX-License-Identifier: MIT
// The element for Svelte.
import type {HTMLAttributes} from 'svelte/elements';
import type {PchrPlayer} from './index.js';
import type {PchrPlayerProps} from './jsx.js';

export * from './index.js';

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'pchr-player': PchrPlayerProps<HTMLAttributes<PchrPlayer>>;
  }
}
