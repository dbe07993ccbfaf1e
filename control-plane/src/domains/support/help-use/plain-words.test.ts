import { expect, test } from 'vitest'
import { plainWords } from './plain-words.ts'

test.each([
  ['  Restore   a BACKUP? ', 'restore backup'],
  ['“Größe” ändern, bitte', 'größe ändern bitte'],
  ['ＦＴＰ login', 'ftp login'],
  ["can't connect re-install", "can't connect re-install"],
  ['port 25565 refused', 'port 25565 refused'],
  ['ошибка запуска', 'ошибка запуска'],
  ['mail to ada.lovelace@example.com fails', 'mail to fails'],
  ['https://example.com/?token=abc 203.0.113.7:80', ''],
  ['DE89370400440532013000 0171 5551234', '0171'],
  ['lodge_ab12cd34_secret', ''],
  ['one two three four five six seven eight nine', 'one two three four five six seven eight'],
  ['x'.repeat(200), ''],
  ['\u0000 <script>', 'script'],
])('%j is counted as %j', (searched, words) => expect(plainWords(searched)).toBe(words))
