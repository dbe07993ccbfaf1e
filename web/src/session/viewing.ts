import { panelPath } from '@lodge/shared/panel-paths.ts'
import { api } from '../api.ts'
import { paths } from '../paths.ts'
import { useMe } from './session.ts'

let leaving = false

/** Reloads the panel after the session's user has changed. Only the first call counts. */
export function reloadAt(path: string): void {
  if (leaving) return
  leaving = true
  location.assign(path)
}

/** Starts viewing as a customer. */
export async function viewAs(customerId: string): Promise<void> {
  await api('POST /api/customers/{id}/view-as', { params: { id: customerId } })
  reloadAt(paths.home)
}

/** Stops viewing and returns to the customer's page. */
export function useStopViewing(): () => Promise<void> {
  const { id } = useMe()
  return async () => {
    await api('DELETE /api/auth/viewing')
    reloadAt(panelPath('customer', { id }))
  }
}
