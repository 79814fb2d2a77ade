// SPDX-License-Identifier: MIT
// Uses the types of the element in Solid. It is compiled, not run.
import 'pchr-player/solid';
import type {PchrPlayer} from 'pchr-player';

export function Example() {
  let player: PchrPlayer | undefined;
  return (
    <div class="room">
      <pchr-player ref={player} class="hero" src="kiri.pchr" loop="once" speed={2} autoplay={false}
        on:marker={(event) => console.log(event.detail.name.length)} onClick={(event) => event.currentTarget.pause()}>
        <source src="kiri.rig.json" />
      </pchr-player>
      {/* @ts-expect-error Filters have names. */}
      <pchr-player filter="cubic" />
      {/* @ts-expect-error There is no such attribute. */}
      <pchr-player clips="walk" />
    </div>
  );
}
