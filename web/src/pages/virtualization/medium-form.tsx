import { RegisterVmMedium } from '@lodge/shared/vms.ts'
import { api, type Reply } from '../../api.ts'
import { Segments } from '../../ui/choices/segments.tsx'
import { SelectField } from '../../ui/choices/select-field.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { type MediumKind, mediumKinds } from './medium-kinds.ts'

const PROOFS = [
  { value: 'sha256', label: 'SHA-256' },
  { value: 'checksums', label: "Publisher's checksum file" },
] as const

interface Values {
  name: string
  url: string
  proof: (typeof PROOFS)[number]['value']
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
    <Form form={form} submitText="Register medium">
      <TextField
        label="Name"
        placeholder="Debian 13, network installation"
        {...form.field('name')}
      />
      <SelectField label="Kind" choices={mediumKinds(kinds)} {...form.field('kind')} />
      <TextField
        label="Address"
        description={
          proof === 'sha256'
            ? 'HTTPS; what is there must never change'
            : 'HTTPS; Lodge keeps the file'
        }
        placeholder="https://cdimage.debian.org/…"
        {...form.field('url')}
      />
      <Segments
        label="Verified by"
        value={proof}
        choices={PROOFS}
        onChange={(next) => form.set('proof', next)}
      />
      {proof === 'sha256' ? (
        <TextField
          label="SHA-256"
          description="From the publisher, not from the same server"
          mono
          {...form.field('sha256')}
        />
      ) : (
        <TextField
          label="Address of the checksum file"
          description="SHA256SUMS or SHA512SUMS of the publisher, which names this file"
          placeholder="https://cdimage.debian.org/…/SHA512SUMS"
          {...form.field('checksumUrl')}
        />
      )}
    </Form>
  )
}
