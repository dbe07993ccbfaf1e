import { useNavigate } from '@tanstack/react-router'
import Download from 'lucide-react/icons/download'
import Trash2 from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { api } from '../../api.ts'
import { paths } from '../../paths.ts'
import { useAct } from '../../query.ts'
import { useMissing } from '../../session/session.ts'
import { ActionMenu } from '../../ui/buttons/menu.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx'
import { toastRefused } from '../../ui/notices/toast.tsx'
import type { ShownTemplate } from './shown-template.ts'
import { t } from './words.ts'

/** Downloads a document as a file. */
function download(name: string, document_: unknown): void {
  const url = URL.createObjectURL(
    new Blob([JSON.stringify(document_, null, 2)], { type: 'application/json' }),
  )
  Object.assign(document.createElement('a'), { href: url, download: `${name}.json` }).click()
  URL.revokeObjectURL(url)
}

/** Export, delete. */
export function TemplateActions({ template }: { template: ShownTemplate }) {
  const missing = useMissing()('templates.manage')
  const navigate = useNavigate()
  const remove = useAct('DELETE /api/templates/{id}', ['GET /api/templates'])
  const [deleting, setDeleting] = useState(false)
  const params = { id: template.id }
  const save = (): void => {
    void api('GET /api/templates/{id}/export', { params }).then(
      (exported) => download(template.name, exported),
      (error) => toastRefused(t.notExported, error),
    )
  }
  const undeletable = template.origin === 'builtin' ? t.builtInStays : undefined
  return (
    <>
      <ActionMenu
        label={t.moreActions({ name: template.name })}
        entries={[
          { label: t.exportJson, icon: <Download />, onSelect: save },
          {
            label: t.deleteTemplateMenu,
            icon: <Trash2 />,
            danger: true,
            separated: true,
            disabledBecause: missing ?? undeletable,
            onSelect: () => setDeleting(true),
          },
        ]}
      />
      <ConfirmDialog
        opened={deleting}
        onClose={() => setDeleting(false)}
        title={t.deleteTitle({ name: template.name })}
        verb={t.deleteTemplate}
        typed={template.name}
        onConfirm={async () => {
          await remove.mutateAsync({ params })
          await navigate({ to: paths.templates })
        }}
      >
        {t.deleteText}
      </ConfirmDialog>
    </>
  )
}
