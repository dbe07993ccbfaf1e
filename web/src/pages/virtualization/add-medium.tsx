import { useState } from 'react'
import { Segments } from '../../ui/choices/segments.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { Column } from '../../ui/page/layout.tsx'
import { KnownImageForm } from './known-image-form.tsx'
import { MediumForm } from './medium-form.tsx'
import type { MediumKind } from './medium-kinds.ts'
import { UploadForm } from './upload-form.tsx'

const WAYS = [
  { value: 'list', label: 'From the list' },
  { value: 'upload', label: 'Upload' },
  { value: 'address', label: 'By address' },
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
    <Dialog title="Add medium" opened={opened} onClose={onClose} wide>
      <Ways kinds={kinds} onDone={done} />
    </Dialog>
  )
}

interface WaysProps {
  kinds: readonly MediumKind[]
  onDone: (mediumId: string) => void
}

function Ways(props: WaysProps) {
  const [way, setWay] = useState<(typeof WAYS)[number]['value']>('list')
  const Chosen = FORMS[way]
  return (
    <Column>
      <Segments label="Where it comes from" value={way} choices={WAYS} onChange={setWay} />
      <Chosen {...props} />
    </Column>
  )
}

const FORMS = { list: KnownImageForm, upload: UploadForm, address: MediumForm }
