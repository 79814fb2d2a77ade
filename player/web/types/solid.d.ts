// SPDX-License-Identifier: MIT
// The element for Solid.
import type {JSX as Solid} from 'solid-js';
import type {PchrPlayer} from './index.js';
import type {PchrPlayerListeners, PchrPlayerProps} from './jsx.js';

export * from './index.js';

declare module 'solid-js' {
  namespace JSX {
    interface IntrinsicElements {
      'pchr-player': PchrPlayerProps<Solid.HTMLAttributes<PchrPlayer>, PchrPlayerListeners<'on:'>>;
    }
  }
}
