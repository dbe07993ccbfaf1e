import { useState } from 'react'
import { api } from '../../api.ts'
import { useRefresh } from '../../query.ts'
import { SwitchField } from '../../ui/choices/switch-field.tsx'
import { toastRefused } from '../../ui/notices/toast.tsx'
import { t } from './words.ts'

interface EnabledSwitchProps {
  what: 'media' | 'networks' | 'profiles'
  row: {
    readonly id: string
    readonly name: string
    readonly enabled: boolean
    /** For a medium: the state of its check. */
    readonly state?: 'uploading' | 'checking' | 'ready' | 'failed'
  }
  missing: string | undefined
}

interface ReleaseSwitchProps {
  what: 'networks' | 'profiles'
  row: EnabledSwitchProps['row'] & { readonly customerVisible: boolean }
  missing: string | undefined
}

/** Changes one catalogue entry immediately; a refused change is reported and reverted. */
function usePatch(what: EnabledSwitchProps['what'], { id, name }: EnabledSwitchProps['row']) {
  const refresh = useRefresh()
  const [busy, setBusy] = useState(false)
  const patch = async (body: { enabled: boolean; customerVisible?: boolean }): Promise<void> => {
    setBusy(true)
    const params = { id }
    const asked =
      what === 'media'
        ? api('PATCH /api/virtualization/media/{id}', { params, body: { enabled: body.enabled } })
        : what === 'networks'
          ? api('PATCH /api/virtualization/networks/{id}', { params, body })
          : api('PATCH /api/virtualization/profiles/{id}', { params, body })
    await asked.catch((error) => toastRefused(t.notChanged({ name }), error))
    await refresh(['GET /api/virtualization/catalogue'])
    setBusy(false)
  }
  return { busy, patch }
}

/** Whether customers may use it for their own machines. */
export function ReleaseSwitch({ what, row, missing }: ReleaseSwitchProps) {
  const { busy, patch } = usePatch(what, row)
  return (
    <SwitchField
      label={row.customerVisible ? t.released : t.closed}
      name={t.release({ name: row.name })}
      value={row.customerVisible}
      disabled={busy || missing !== undefined}
      onChange={(customerVisible) => void patch({ enabled: row.enabled, customerVisible })}
    />
  )
}

/** Whether a catalogue entry is offered for new machines. */
export function EnabledSwitch({ what, row, missing }: EnabledSwitchProps) {
  const { busy, patch } = usePatch(what, row)
  return (
    <SwitchField
      label={
        row.enabled
          ? row.state === 'checking' || row.state === 'uploading'
            ? t.offeredWhenReady
            : t.offered
          : t.notOffered
      }
      name={t.offer({ name: row.name })}
      value={row.enabled}
      disabled={busy || missing !== undefined}
      onChange={(enabled) => void patch({ enabled })}
    />
  )
}
