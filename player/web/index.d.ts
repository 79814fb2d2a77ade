// SPDX-License-Identifier: MIT
// Types of the package: those of pchr-player.js, and what JavaScript cannot say about the element.
import type {CharacterError, Marker} from './character.js';
import type {DrawnView, PchrPlayer} from './pchr-player.js';

export * from './pchr-player.js';

/** Events of the element. */
export interface PchrPlayerEventMap extends HTMLElementEventMap {
  /** The character is loaded. */
  load: Event;
  /** The character cannot be loaded or drawn, or has no such clip or bind pose. */
  error: CustomEvent<CharacterError> & ErrorEvent;
  play: Event;
  pause: Event;
  /** Another time, frame or clip is shown. */
  timechange: Event;
  clipchange: Event;
  /** A clip that does not loop has ended. */
  clipend: Event;
  /** Playback has reached a marker. */
  marker: CustomEvent<Marker>;
  /** The canvas was drawn. */
  draw: CustomEvent<DrawnView>;
}

declare module './pchr-player.js' {
  interface PchrPlayer {
    addEventListener<Type extends keyof PchrPlayerEventMap>(
      type: Type, listener: (this: PchrPlayer, event: PchrPlayerEventMap[Type]) => unknown,
      options?: boolean | AddEventListenerOptions): void;
    addEventListener(type: string, listener: EventListenerOrEventListenerObject,
                     options?: boolean | AddEventListenerOptions): void;
    removeEventListener<Type extends keyof PchrPlayerEventMap>(
      type: Type, listener: (this: PchrPlayer, event: PchrPlayerEventMap[Type]) => unknown,
      options?: boolean | EventListenerOptions): void;
    removeEventListener(type: string, listener: EventListenerOrEventListenerObject,
                        options?: boolean | EventListenerOptions): void;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'pchr-player': PchrPlayer;
  }
}
