import { expect, test } from 'vitest'
import { survivalWords } from './capacity-card.tsx'

test('a location shows whether it survives the loss of its fullest node, and how many servers would not fit', () => {
  const loss = { nodeId: 'n', nodeName: 'n3' }
  expect(survivalWords({ ...loss, survives: true, homeless: 0 })).toBe(
    'If n3 fails, every server still fits',
  )
  expect(survivalWords({ ...loss, survives: false, homeless: 1 })).toBe(
    'If n3 fails, 1 server has no room',
  )
  expect(survivalWords({ ...loss, survives: false, homeless: 5 })).toBe(
    'If n3 fails, 5 servers have no room',
  )
})
