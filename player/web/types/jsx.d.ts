// SPDX-License-Identifier: MIT
// What templates of frameworks can set on the element. "pchr-player/react" and its like tell each framework.
import type {PchrPlayer, PchrPlayerEventMap} from './index.js';

/** An attribute that is there or not. Frameworks that write attributes as text take "" and undefined. */
type Flag = boolean | '';

/** Attributes of the element, which the package's README explains. */
export interface PchrPlayerAttributes {
  src?: string;
  clip?: string;
  bind?: string;
  autoplay?: Flag;
  loop?: Flag | PchrPlayer['loop'];
  speed?: number | string;
  smooth?: Flag;
  filter?: PchrPlayer['filter'];
  margin?: number | string;
  background?: string;
  controls?: Flag;
  movable?: Flag;
  label?: string;
  module?: string;
}

/** Properties without attributes. */
export type PchrPlayerProperties = Partial<Pick<PchrPlayer, 'files' | 'character' | 'currentTime' | 'center' | 'zoom'>>;

type OwnEvent =
  'load' | 'error' | 'play' | 'pause' | 'timechange' | 'clipchange' | 'clipend' | 'marker' | 'draw';

/** Listeners to the events of the element, such as `onmarker`. */
export type PchrPlayerListeners<Prefix extends string = 'on'> = {
  [Type in OwnEvent as `${Prefix}${Type}`]?: (event: PchrPlayerEventMap[Type]) => void;
};

/** Replaces what a framework says about all elements by what this one has. */
export type PchrPlayerProps<Framework, Listeners = PchrPlayerListeners> =
  Omit<Framework, keyof PchrPlayerAttributes | keyof Listeners> & PchrPlayerAttributes & PchrPlayerProperties & Listeners;
