import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/noto-sans-arabic/wght.css';
import './styles/ids.css';
import './styles/tokens.css';
import './styles/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import './styles/atoms.css'; // After the components, whose own defaults have no weight either.
import { subscribeToMain } from './state/app-state.ts';
import { subscribeToLinks } from './state/link.ts';
import { reportFailure } from './state/report-failure.ts';
import { say } from './state/say.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
subscribeToLinks();
await subscribeToMain();
const reloaded = performance
  .getEntriesByType('navigation')
  .some((entry) => (entry as PerformanceNavigationTiming).type === 'reload');
if (reloaded) say('notice.reloaded');
createRoot(root, { onCaughtError: reportFailure, onUncaughtError: reportFailure }).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
