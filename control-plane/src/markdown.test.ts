import { describe, expect, test } from 'vitest'
import { plainText, renderMarkdown } from './markdown.ts'

describe('the text of an article', () => {
  test.for([
    ['<script>alert(1)</script>', '<script'],
    ['<img src=x onerror=alert(1)>', '<img'],
    ['[a](javascript:alert(1))', 'href'],
    ['[a](JaVaScRiPt&#58;alert(1))', 'href'],
    ['[a](data:text/html,<script>alert(1)</script>)', 'href'],
    ['[a](//elsewhere.example/)', 'href'],
    ['<a href="https://example.com" onclick="alert(1)">a</a>', '<a'],
    ['<svg><style>*{x:expression(alert(1))}</style></svg>', '<svg'],
    ['![a](https://tracker.example/pixel.gif)', '<img'],
    ['`<b>`\n\n<iframe src="https://example.com">', '<iframe'],
  ])('is harmless: %s', ([source, never]) => {
    expect(renderMarkdown(source ?? '')).not.toContain(never)
  })

  test('keeps what Markdown is for', () => {
    const html = renderMarkdown(
      '# Title\n\n**Bold** and `code`, [a link](https://example.com/).\n\n| A |\n|--|\n| 1 |\n\n3. three',
    )
    expect(html).toContain('<h2>Title</h2>')
    expect(html).toContain('<a href="https://example.com/" rel="noopener nofollow">a link</a>')
    expect(html).toContain('<td>1</td>')
    expect(html).toContain('<ol start="3">')
  })

  test('is found by its words, not by its markup', () => {
    expect(plainText('## Ports & *addresses*\n\n- one `<port>`')).toBe(
      'Ports & addresses one <port>',
    )
  })
})
