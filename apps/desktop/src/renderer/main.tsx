import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/noto-sans-arabic/wght.css';
import './styles/ids.css';
import './styles/tokens.css';
import './styles/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
// The utility classes come after the components, whose defaults have no specificity either.
import './styles/atoms.css';
import { subscribeToMain } from './api/app-state.ts';
import { subscribeToLinks } from './app/links.tsx';
import { listenToKeys } from './app/keyboard.ts';
import { reportFailure } from './api/report-failure.ts';
import { toast } from './app/toasts.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
subscribeToLinks();
listenToKeys();
await subscribeToMain();
const reloaded = performance
  .getEntriesByType('navigation')
  .some((entry) => (entry as PerformanceNavigationTiming).type === 'reload');
if (reloaded) toast.info('notice.reloaded');
createRoot(root, { onCaughtError: reportFailure, onUncaughtError: reportFailure }).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
