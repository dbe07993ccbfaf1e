import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api.ts'
import { SwitchField } from '../../ui/choices/switch-field.tsx'
import { toastRefused } from '../../ui/notices/toast.tsx'

interface EnabledSwitchProps {
  what: 'media' | 'networks' | 'profiles'
  row: {
    readonly id: string
    readonly name: string
    readonly enabled: boolean
    /** Of a medium: how far its check is. */
    readonly state?: 'checking' | 'ready' | 'failed'
  }
  missing: string | undefined
}

interface ReleaseSwitchProps {
  what: 'networks' | 'profiles'
  row: EnabledSwitchProps['row'] & { readonly customerVisible: boolean }
  missing: string | undefined
}

/** Whether customers may take it for machines that they create by themselves. */
export function ReleaseSwitch({ what, row, missing }: ReleaseSwitchProps) {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const put = async (customerVisible: boolean): Promise<void> => {
    setBusy(true)
    const given = { params: { id: row.id }, body: { enabled: row.enabled, customerVisible } }
    const asked =
      what === 'networks'
        ? api('PATCH /api/virtualization/networks/{id}', given)
        : api('PATCH /api/virtualization/profiles/{id}', given)
    await asked.catch((error) => toastRefused(`${row.name} stays as it is`, error))
    await client.invalidateQueries({ queryKey: ['GET /api/virtualization/catalogue'] })
    setBusy(false)
  }
  return (
    <SwitchField
      label={row.customerVisible ? 'Released' : 'Closed'}
      name={`Release ${row.name} to customers`}
      value={row.customerVisible}
      disabled={busy || missing !== undefined}
      onChange={(released) => void put(released)}
    />
  )
}

/** Whether something of the catalogue is offered to new machines. */
export function EnabledSwitch({ what, row, missing }: EnabledSwitchProps) {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const put = async (enabled: boolean): Promise<void> => {
    setBusy(true)
    const given = { params: { id: row.id }, body: { enabled } }
    const asked =
      what === 'media'
        ? api('PATCH /api/virtualization/media/{id}', given)
        : what === 'networks'
          ? api('PATCH /api/virtualization/networks/{id}', given)
          : api('PATCH /api/virtualization/profiles/{id}', given)
    await asked.catch((error) => toastRefused(`${row.name} stays as it is`, error))
    await client.invalidateQueries({ queryKey: ['GET /api/virtualization/catalogue'] })
    setBusy(false)
  }
  return (
    <SwitchField
      label={
        row.enabled ? (row.state === 'checking' ? 'Offered when ready' : 'Offered') : 'Not offered'
      }
      name={`Offer ${row.name}`}
      value={row.enabled}
      disabled={busy || missing !== undefined}
      onChange={(enabled) => void put(enabled)}
    />
  )
}
