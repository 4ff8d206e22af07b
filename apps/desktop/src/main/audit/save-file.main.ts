import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { BrowserWindow, dialog, webContents } from 'electron';

export async function saveFile(
  senderId: number,
  name: string,
  make: () => Promise<string | Uint8Array> | AsyncIterable<string>,
): Promise<boolean> {
  const sender = webContents.fromId(senderId);
  const parent = sender === undefined ? null : BrowserWindow.fromWebContents(sender);
  const extension = name.slice(name.lastIndexOf('.') + 1);
  const options = {
    defaultPath: name,
    filters: [{ name: extension.toUpperCase(), extensions: [extension] }],
  };
  const { filePath, canceled } = await (parent === null
    ? dialog.showSaveDialog(options)
    : dialog.showSaveDialog(parent, options));
  if (canceled) return false;
  const content = await make();
  const partialFile = `${filePath}.${randomUUID()}.part`;
  try {
    await writeFile(partialFile, content, { mode: 0o600 });
    await rename(partialFile, filePath);
  } catch (error) {
    await rm(partialFile, { force: true });
    throw error;
  }
  return true;
}
