import type { Caller } from '../../support/caller.ts'
import type { Lodge } from '../../support/stack.ts'

/** An administrator whose session views as this customer. */
export async function viewerOf(lodge: Lodge, customer: Caller): Promise<Caller> {
  const admin = await lodge.limitedAdmin(['customers.view_as'])
  await admin.must('POST /api/customers/{id}/view-as', { params: { id: customer.id } })
  return admin
}
