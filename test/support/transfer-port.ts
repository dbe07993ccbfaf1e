import type { Caller } from './caller.ts'
import { freePort } from './processes.ts'
import { until } from './until.ts'

/** Makes a node accept connections of other nodes, and waits until it does. */
export async function openTransferPort(admin: Caller, id: string): Promise<void> {
  const body = { transferPort: await freePort() }
  await admin.must('PATCH /api/nodes/{id}', { params: { id }, body })
  await until(async () => {
    const { transfers } = await admin.must('GET /api/nodes/{id}', { params: { id } })
    return transfers.open
  })
}
