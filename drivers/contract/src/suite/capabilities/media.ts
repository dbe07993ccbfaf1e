import { expect, it } from 'vitest'
import { having } from '../having.ts'
import type { Stage } from './stage.ts'

export function mediaSuite(stage: Stage): void {
  it('drops a medium from its cache, however often it is called', async () => {
    const media = having(stage.driver(), 'media')
    await expect(media.drop('0'.repeat(64))).resolves.toBeUndefined()
    await expect(media.drop('0'.repeat(64))).resolves.toBeUndefined()
  })
}
