import { useState } from 'react'
import { Segments } from '../../ui/choices/segments.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { Column } from '../../ui/page/layout.tsx'
import { KnownImageForm } from './known-image-form.tsx'
import { MediumForm } from './medium-form.tsx'
import type { MediumKind } from './medium-kinds.ts'
import { UploadForm } from './upload-form.tsx'
import { t } from './words.ts'

const ways = () =>
  [
    { value: 'list', label: t.fromList },
    { value: 'upload', label: t.upload },
    { value: 'address', label: t.byAddress },
  ] as const

interface AddMediumProps {
  opened: boolean
  onClose: () => void
  /** The kinds that are useful to the caller. */
  kinds?: readonly MediumKind[]
  onAdded?: (mediumId: string) => void
}

const ALL: readonly MediumKind[] = ['iso', 'qcow2', 'raw']

/** Adds a medium: from the list of images, from this computer, or from a URL. */
export function AddMedium({ opened, onClose, kinds = ALL, onAdded }: AddMediumProps) {
  const done = (mediumId: string): void => {
    onAdded?.(mediumId)
    onClose()
  }
  return (
    <Dialog title={t.addMedium} opened={opened} onClose={onClose} wide>
      <Ways kinds={kinds} onDone={done} />
    </Dialog>
  )
}

interface WaysProps {
  kinds: readonly MediumKind[]
  onDone: (mediumId: string) => void
}

function Ways(props: WaysProps) {
  const [way, setWay] = useState<keyof typeof FORMS>('list')
  const Chosen = FORMS[way]
  return (
    <Column>
      <Segments label={t.source} value={way} choices={ways()} onChange={setWay} />
      <Chosen {...props} />
    </Column>
  )
}

const FORMS = { list: KnownImageForm, upload: UploadForm, address: MediumForm }
