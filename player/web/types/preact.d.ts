// SPDX-License-Identifier: MIT
// The element for Preact.
import type {HTMLAttributes} from 'preact';
import type {PchrPlayer} from './index.js';
import type {PchrPlayerProps} from './jsx.js';

export * from './index.js';

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      'pchr-player': PchrPlayerProps<HTMLAttributes<PchrPlayer>>;
    }
  }
}
