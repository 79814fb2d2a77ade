// SPDX-License-Identifier: MIT
// The element for React 18 and 19. React 18 has no listeners for it: use a ref and addEventListener().
import type {DetailedHTMLProps, HTMLAttributes} from 'react';
import type {PchrPlayer} from './index.js';
import type {PchrPlayerProps} from './jsx.js';

export * from './index.js';

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'pchr-player': PchrPlayerProps<DetailedHTMLProps<HTMLAttributes<PchrPlayer>, PchrPlayer>> & {class?: string};
    }
  }
}
