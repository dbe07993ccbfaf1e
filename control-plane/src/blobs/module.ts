import { defineDomain } from '../domain.ts'
import { periodicTask } from '../jobs/periodic-task.ts'

const collectBlobs = periodicTask('blobs.collect', 600, async ({ blobs }) => blobs.collect())

export const blobs = defineDomain({ name: 'blobs', periodic: [collectBlobs] })
