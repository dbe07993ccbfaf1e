import type { PluginDetail } from '@lodge/shared/plugins/plugin.ts'
import { useState } from 'react'
import { useAct } from '../../query.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { ProblemNote } from '../../ui/notices/problem-note.tsx'
import { toastDone } from '../../ui/notices/toast.tsx'
import { Column } from '../../ui/page/layout.tsx'
import { InstallDialog } from './install-dialog.tsx'
import { PermissionList } from './permission-list.tsx'
import { t } from './words.ts'

interface UpdateNoteProps {
  plugin: PluginDetail
  missing: string | undefined
}

/** A pending update: it waits for its permissions, or for somebody to install it. */
export function UpdateNote({ plugin, missing }: UpdateNoteProps) {
  const { id, name, source, held, updateTo } = plugin
  const [looking, setLooking] = useState(false)
  const accept = useAct('POST /api/plugins/{plugin}/update', [
    'GET /api/plugins',
    'GET /api/plugins/{plugin}',
  ])
  if (held)
    return (
      <Note
        tone="warn"
        title={t.heldTitle({ version: held.version })}
        action={
          <Button
            size="small"
            busy={accept.isPending}
            disabledBecause={missing}
            onClick={() =>
              accept.mutate(
                // The signature was checked, and confirmed if needed, when it arrived.
                {
                  params: { plugin: id },
                  body: { acceptPermissions: true, acceptUnsigned: true },
                },
                { onSuccess: () => toastDone(t.updated({ name })) },
              )
            }
          >
            {t.acceptUpdate}
          </Button>
        }
      >
        <Column gap={8}>
          <span>{t.heldText}</span>
          <PermissionList permissions={held.addedPermissions} />
          {accept.error ? <ProblemNote error={accept.error} /> : null}
        </Column>
      </Note>
    )
  if (updateTo === null) return null
  return (
    <>
      <Note
        tone="info"
        title={t.updateAvailable({ version: updateTo })}
        action={
          <Button size="small" disabledBecause={missing} onClick={() => setLooking(true)}>
            {t.update}
          </Button>
        }
      />
      <InstallDialog
        origin={looking ? { source, id } : undefined}
        updates={{ id, name }}
        onClose={() => setLooking(false)}
      />
    </>
  )
}
