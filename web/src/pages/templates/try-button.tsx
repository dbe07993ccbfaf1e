import FlaskConical from 'lucide-react/icons/flask-conical'
import { useState } from 'react'
import { useMissing } from '../../session/session.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { Skeletons } from '../../ui/notices/states.tsx'
import { part } from '../../ui/page/part.tsx'
import type { ShownTemplate } from './shown-template.ts'
import { t } from './words.ts'

const TryRun = part(() => import('./try-run.tsx'))

interface TryButtonProps {
  template: ShownTemplate
  disabledBecause?: string
}

/** Opens the trial run of a template. */
export function TryButton({ template, disabledBecause }: TryButtonProps) {
  const missing = useMissing()('servers.create')
  const [opened, setOpened] = useState(false)
  return (
    <>
      <Button
        icon={<FlaskConical />}
        disabledBecause={missing ?? disabledBecause}
        onClick={() => setOpened(true)}
      >
        {t.tryTemplate}
      </Button>
      <Dialog
        title={t.tryTitle({ name: template.name })}
        opened={opened}
        onClose={() => setOpened(false)}
        wide
      >
        <TryRun template={template} fallback={<Skeletons lines={6} />} />
      </Dialog>
    </>
  )
}
