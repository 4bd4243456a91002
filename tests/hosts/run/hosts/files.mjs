// Configuration files of hosts.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export function writeText(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

export const writeJson = (path, value) => writeText(path, jsonText(value));

export function writeExecutable(path, text) {
  writeText(path, text);
  chmodSync(path, 0o755);
}

export const jsonText = (value) => `${JSON.stringify(value, null, 2)}\n`;
