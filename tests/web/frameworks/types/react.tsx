// SPDX-License-Identifier: MIT
// Uses the types of the element in React. It is compiled with the types of React 18 and of 19, not run.
import {useRef} from 'react';
import 'pchr-player/react';
import type {PchrPlayer} from 'pchr-player';

export function Example() {
  const player = useRef<PchrPlayer>(null);
  return (
    <div className="room">
      <pchr-player ref={player} className="hero" class="hero" src="kiri.pchr" loop="once" speed={2} autoplay={false}
        onmarker={(event) => console.log(event.detail.name.length)} onClick={(event) => event.currentTarget.pause()}
        onerror={({detail}) => console.log(detail.hint)} currentTime={0.5}>
        <source src="kiri.rig.json" />
      </pchr-player>
      {/* @ts-expect-error Filters have names. */}
      <pchr-player filter="cubic" />
      {/* @ts-expect-error There is no such attribute. */}
      <pchr-player clips="walk" />
      {/* @ts-expect-error A marker has no such member. */}
      <pchr-player onmarker={(event) => console.log(event.detail.time)} />
    </div>
  );
}
