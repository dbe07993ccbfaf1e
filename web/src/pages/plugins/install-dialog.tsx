import type { PluginInspection, PluginOrigin } from '@lodge/shared/plugins/plugin.ts'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api.ts'
import { paths } from '../../paths.ts'
import { useRefresh } from '../../query.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Tick } from '../../ui/choices/tick.tsx'
import { formatBytes } from '../../ui/data/numbers.ts'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { ProblemNote } from '../../ui/notices/problem-note.tsx'
import { toastDone } from '../../ui/notices/toast.tsx'
import { Facts } from '../../ui/page/card.tsx'
import { Column, Row, Text } from '../../ui/page/layout.tsx'
import { signatureOf } from './looks.ts'
import { PermissionList } from './permission-list.tsx'
import { t } from './words.ts'

interface InstallDialogProps {
  /** Undefined while it is closed. */
  origin: PluginOrigin | undefined
  /** The plugin that is updated; a new one is installed without it. */
  updates?: { readonly id: string; readonly name: string }
  onClose: () => void
}

/** Shows what a package is and which permissions it wants, and installs it after consent. */
export function InstallDialog({ origin, updates, onClose }: InstallDialogProps) {
  return (
    <Dialog
      title={updates ? t.updateTitle({ name: updates.name }) : t.installTitle}
      opened={origin !== undefined}
      onClose={onClose}
      wide
      fleeting
    >
      {origin ? <Inspected origin={origin} updates={updates} onClose={onClose} /> : null}
    </Dialog>
  )
}

type Given = { origin: PluginOrigin; onClose: () => void; updates: InstallDialogProps['updates'] }

function Inspected({ origin, updates, onClose }: Given) {
  const inspected = useQuery({
    queryKey: ['POST /api/plugins/inspect', origin] as const,
    queryFn: () => api('POST /api/plugins/inspect', { body: origin }),
    retry: false,
    // The package may have changed since.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Loaded query={inspected} lines={6}>
      {(found) => <Accept found={found} origin={origin} updates={updates} onClose={onClose} />}
    </Loaded>
  )
}

function Accept({ found, origin, updates, onClose }: Given & { found: PluginInspection }) {
  const [accepted, setAccepted] = useState(false)
  const [unsigned, setUnsigned] = useState(false)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<unknown>()
  const refresh = useRefresh()
  const navigate = useNavigate()
  const isVouched = found.signature === 'bundled' || found.signature === 'verified'
  const permissions = updates ? found.addedPermissions : found.permissions
  const isNothing = permissions.length === 0
  const blocked =
    found.obstacle ??
    (isNothing || accepted ? undefined : t.acceptFirst) ??
    (isVouched || unsigned ? undefined : t.acceptUnsignedFirst)
  const submit = async (): Promise<void> => {
    setBusy(true)
    setRefusal(undefined)
    try {
      await (updates ? update(updates.id, origin, unsigned) : install(origin, found, unsigned))
      await refresh(['GET /api/plugins', 'GET /api/plugins/{plugin}', 'GET /api/plugins/store'])
      toastDone((updates ? t.updated : t.done)({ name: found.name }))
      onClose()
      await navigate({ to: paths.plugin, params: { id: found.id } })
    } catch (error) {
      setRefusal(error)
      setBusy(false)
    }
  }
  return (
    <Column>
      <Column gap={4}>
        <Text strong>
          {found.name} {found.version}
        </Text>
        <Text>{found.description}</Text>
      </Column>
      <Facts
        rows={[
          [t.publisher, found.publisher],
          [t.license, found.license],
          [t.contents, t.filesOf({ count: found.files, size: formatBytes(found.sizeBytes) })],
          [t.signature, signatureOf(found.signature)],
        ]}
      />
      {isVouched ? null : (
        <Note tone="warn" title={t.unsignedTitle}>
          {found.signedBy === null ? t.unsignedText : t.unknownText({ key: found.signedBy })}
        </Note>
      )}
      <Column gap={6}>
        <Text strong>{updates ? t.itMayNew : t.itMay}</Text>
        <PermissionList permissions={permissions} />
      </Column>
      {found.obstacle === null ? (
        <Column gap={8}>
          {isNothing ? null : <Tick label={t.accept} checked={accepted} onChange={setAccepted} />}
          {isVouched ? null : (
            <Tick label={t.acceptUnsigned} checked={unsigned} onChange={setUnsigned} />
          )}
        </Column>
      ) : (
        <Note tone="err">{found.obstacle}</Note>
      )}
      {refusal === undefined ? null : <ProblemNote error={refusal} />}
      <Row end>
        <Button kind="primary" busy={busy} disabledBecause={blocked} onClick={() => void submit()}>
          {updates ? t.update : t.install}
        </Button>
      </Row>
    </Column>
  )
}

const install = (origin: PluginOrigin, { sha256 }: PluginInspection, acceptUnsigned: boolean) =>
  api('POST /api/plugins', { body: { ...origin, sha256, acceptPermissions: true, acceptUnsigned } })

const update = (plugin: string, origin: PluginOrigin, acceptUnsigned: boolean) =>
  api('POST /api/plugins/{plugin}/update', {
    params: { plugin },
    body: {
      ...(origin.package !== undefined && { package: origin.package }),
      ...{ acceptPermissions: true, acceptUnsigned },
    },
  })
