// SPDX-License-Identifier: MIT
// The element for templates of Vue, whose compiler has to be told that it is one: isCustomElement.
import type {HTMLAttributes, PublicProps} from 'vue';
import type {PchrPlayer} from './index.js';
import type {PchrPlayerListeners, PchrPlayerProps} from './jsx.js';

export * from './index.js';

type Listeners = {[Name in keyof PchrPlayerListeners<''> as `on${Capitalize<Name>}`]: PchrPlayerListeners<''>[Name]};

declare module 'vue' {
  interface GlobalComponents {
    'pchr-player': new () => PchrPlayer & {$props: PchrPlayerProps<HTMLAttributes & PublicProps, Listeners>};
  }
}
