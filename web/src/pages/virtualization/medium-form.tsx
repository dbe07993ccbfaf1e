import { RegisterVmMedium } from '@lodge/shared/vms.ts'
import { api, type Reply } from '../../api.ts'
import { Segments } from '../../ui/choices/segments.tsx'
import { SelectField } from '../../ui/choices/select-field.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { type MediumKind, mediumKinds } from './medium-kinds.ts'
import { t } from './words.ts'

const proofs = () =>
  [
    { value: 'sha256', label: t.sha256 },
    { value: 'checksums', label: t.checksumFile },
  ] as const

interface Values {
  name: string
  url: string
  proof: 'sha256' | 'checksums'
  sha256: string
  checksumUrl: string
  kind: string
}

const bodyOf = ({ name, url, kind, proof, sha256, checksumUrl }: Values) => ({
  name,
  url,
  kind,
  ...(proof === 'sha256' ? { sha256 } : { checksumUrl }),
})

/** Adds a medium by URL; it is downloaded and checked before use. */
export function MediumForm({
  kinds,
  onDone,
}: {
  kinds: readonly MediumKind[]
  onDone: (mediumId: string) => void
}) {
  const form = useForm<Values, Reply<'POST /api/virtualization/media'>>({
    initial: {
      name: '',
      url: '',
      proof: 'sha256',
      sha256: '',
      checksumUrl: '',
      kind: kinds[0] ?? 'iso',
    },
    schema: RegisterVmMedium,
    toBody: bodyOf,
    submit: (values) =>
      api('POST /api/virtualization/media', { body: RegisterVmMedium.parse(bodyOf(values)) }),
    refreshes: ['GET /api/virtualization/catalogue', 'GET /api/jobs'],
    done: ({ medium }) => onDone(medium.id),
  })
  const { proof } = form.values
  return (
    <Form form={form} command submitText={t.register}>
      <TextField label={t.name} placeholder={t.exampleMedium} {...form.field('name')} />
      <SelectField label={t.kind} choices={mediumKinds(kinds)} {...form.field('kind')} />
      <TextField
        label={t.address}
        description={proof === 'sha256' ? t.addressFixed : t.addressKept}
        placeholder="https://cdimage.debian.org/…"
        {...form.field('url')}
      />
      <Segments
        label={t.verifiedBy}
        value={proof}
        choices={proofs()}
        onChange={(next) => form.set('proof', next)}
      />
      {proof === 'sha256' ? (
        <TextField label={t.sha256} description={t.sha256Help} mono {...form.field('sha256')} />
      ) : (
        <TextField
          label={t.checksumAddress}
          description={t.checksumHelp}
          placeholder="https://cdimage.debian.org/…/SHA512SUMS"
          {...form.field('checksumUrl')}
        />
      )}
    </Form>
  )
}
