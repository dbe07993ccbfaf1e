import { defineDomain } from '../domain.ts'
import { gauge } from '../figures/family.ts'
import type { Figures } from '../figures/figures.ts'
import { periodicTask } from '../jobs/periodic-task.ts'

const collectBlobs = periodicTask('blobs.collect', 600, async ({ blobs }) => blobs.collect())

const blobFigures: Figures = {
  async installation({ blobs }) {
    const { count, bytes } = await blobs.figures()
    return () => [
      gauge('lodge_blobs', 'Large files that are kept.', [[{}, count]]),
      gauge('lodge_blob_bytes', 'What large files take.', [[{}, bytes]]),
    ]
  },
}

export const blobs = defineDomain({
  name: 'blobs',
  periodic: [collectBlobs],
  figures: blobFigures,
})
