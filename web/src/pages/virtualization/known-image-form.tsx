import { RegisterVmMedium } from '@lodge/shared/vms.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Reply } from '../../api.ts'
import { q } from '../../query.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { SelectField } from '../../ui/choices/select-field.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Text } from '../../ui/page/layout.tsx'
import { KnownImagesForm } from './known-images-form.tsx'
import type { MediumKind } from './medium-kinds.ts'

type Image = Reply<'GET /api/virtualization/images'>['images'][number]

interface KnownImageFormProps {
  kinds: readonly MediumKind[]
  onDone: (mediumId: string) => void
}

/** Adds a medium from the list of well-known images, verified by the publisher's checksums. */
export function KnownImageForm({ kinds, onDone }: KnownImageFormProps) {
  const [editing, setEditing] = useState(false)
  const list = useQuery(q('GET /api/virtualization/images'))
  return (
    <Loaded query={list} lines={5}>
      {(found) =>
        editing ? (
          <KnownImagesForm list={found} onDone={() => setEditing(false)} />
        ) : (
          <Choose
            images={found.images.filter(({ kind }) => kinds.includes(kind))}
            onDone={onDone}
            onEdit={() => setEditing(true)}
          />
        )
      }
    </Loaded>
  )
}

interface ChooseProps {
  images: readonly Image[]
  onDone: (mediumId: string) => void
  onEdit: () => void
}

function Choose({ images, onDone, onEdit }: ChooseProps) {
  const form = useForm<{ image: string; name: string }, Reply<'POST /api/virtualization/media'>>({
    initial: { image: images[0]?.name ?? '', name: images[0]?.name ?? '' },
    submit: ({ image, name }) => {
      const { kind, url, checksumUrl } = images.find((one) => one.name === image) ?? {}
      return api('POST /api/virtualization/media', {
        body: RegisterVmMedium.parse({ name, kind, url, checksumUrl }),
      })
    },
    refreshes: ['GET /api/virtualization/catalogue', 'GET /api/jobs'],
    done: ({ medium }) => onDone(medium.id),
  })
  const chosen = images.find(({ name }) => name === form.values.image)
  return (
    <Form
      form={form}
      submitText="Add image"
      disabledBecause={chosen ? undefined : 'Choose an image first'}
      beside={<Button onClick={onEdit}>Edit list</Button>}
    >
      <SelectField
        label="Image"
        searchable
        choices={images.map(({ name }) => ({ value: name, label: name }))}
        nothingFound="Not in the list: give its address instead"
        {...form.field('image')}
        onChange={(image) => form.setValues({ image, name: image })}
      />
      <TextField label="Name in the catalogue" {...form.field('name')} />
      {chosen ? (
        <Text small muted>
          {chosen.notes === '' ? '' : `${chosen.notes}. `}
          Lodge downloads it from {new URL(chosen.url).host}, holds it against the checksum that its
          publisher names there, and keeps it.
        </Text>
      ) : null}
    </Form>
  )
}
