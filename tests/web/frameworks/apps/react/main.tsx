// SPDX-License-Identifier: MIT
import {useState} from 'react';
import {createRoot} from 'react-dom/client';
import {Hero} from './Hero';

function App() {
  const [clip, setClip] = useState('walk');
  return <><Hero clip={clip} /><button onClick={() => setClip('jump')}>Jump</button></>;
}

createRoot(document.querySelector('#app')!).render(<App />);
