// Loaded into both by `-r`, before their own code: prints when the first window is shown, what BENCH_USABLE selects is
// there and enabled, and a frame with it has been made. The moment is by the page's clock, in milliseconds since 1970.
const { app } = require('electron');

app.once('browser-window-created', (_event, window) => {
  const shown = new Promise((resolve) => {
    window.once('show', () => {
      resolve(Date.now());
    });
  });
  window.webContents.once('dom-ready', async () => {
    const usable = window.webContents.mainFrame.executeJavaScript(`new Promise((resolve) => {
      const look = () => {
        if (!document.querySelector(${JSON.stringify(process.env.BENCH_USABLE)})?.matches(':not(:disabled)')) {
          return false;
        }
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => resolve(performance.timeOrigin + performance.now());
          port2.postMessage(undefined);
        });
        return true;
      };
      const changes = new MutationObserver(() => { if (look()) changes.disconnect(); });
      if (!look()) changes.observe(document, { subtree: true, childList: true, attributes: true });
    })`);
    const moments = await Promise.all([shown, usable]);
    process.stdout.write(`usable at ${Math.max(...moments)}\n`);
  });
});
