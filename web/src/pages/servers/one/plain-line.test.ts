import { expect, test } from 'vitest'
import { plainLine } from './plain-line.ts'

test.each([
  ['\u001b[32mgreen\u001b[0m text', 'green text'],
  ['\u001b]0;a title\u0007after', 'after'],
  ['\u001b]52;c;c2VjcmV0\u001b\\after', 'after'],
  ['back\rspace\b', 'backspace'],
  ['plain äöü ☃', 'plain äöü ☃'],
])('%j is shown as %j', (line, shown) => {
  expect(plainLine(line)).toBe(shown)
})
