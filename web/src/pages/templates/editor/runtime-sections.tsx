import { CAPABILITIES, SIGNALS } from '@lodge/shared/container-spec.ts'
import { FieldGrid } from '../../../ui/form/fields.tsx'
import { Card } from '../../../ui/page/card.tsx'
import { Text } from '../../../ui/page/layout.tsx'
import { type Path, textAt } from './draft.ts'
import {
  DraftLines,
  DraftNumber,
  DraftRows,
  DraftSelect,
  DraftSwitch,
  DraftText,
  DraftWords,
} from './draft-fields.tsx'
import styles from './editor.module.css'
import { EnvironmentRows } from './environment-rows.tsx'
import { useDraft } from './use-draft.ts'

export const PROTOCOLS = [
  { value: 'tcp', label: 'TCP' },
  { value: 'udp', label: 'UDP' },
  { value: 'both', label: 'TCP and UDP' },
]

const SOURCES = [
  { value: 'registry', label: 'Registry' },
  { value: 'debian', label: 'Debian packages' },
]
const EMPTY_SOURCES: Readonly<Record<string, unknown>> = {
  registry: { kind: 'registry', reference: '' },
  debian: { kind: 'debian', suite: 'bookworm', packages: [] },
}

/** Where an image comes from: a registry, or packages of Debian. */
export function SourceFields({ path }: { path: Path }) {
  const { draft, set } = useDraft()
  const isDebian = textAt(draft, [...path, 'kind']) === 'debian'
  return (
    <>
      <DraftSelect
        path={[...path, 'kind']}
        label="Comes from"
        choices={SOURCES}
        onChoose={(kind) => set(path, EMPTY_SOURCES[kind])}
      />
      <div className={styles.wide}>
        {isDebian ? (
          <DraftWords path={[...path, 'packages']} label="Packages" mono />
        ) : (
          <DraftText
            path={[...path, 'reference']}
            label="Reference"
            placeholder="docker.io/library/redis:8"
            mono
            keep
          />
        )}
      </div>
    </>
  )
}

const IMAGES: Path = ['runtime', 'images']

/** The images that a server may run in. */
export const ImageSection = () => (
  <Card title="Images">
    <DraftRows
      path={IMAGES}
      noun="image"
      ordered
      fresh={() => ({ name: '', source: EMPTY_SOURCES.registry })}
    >
      {(path, index) => (
        <>
          <DraftText
            path={[...path, 'name']}
            label="Name"
            keep
            {...(index === 0 ? { description: 'The default' } : {})}
          />
          <SourceFields path={[...path, 'source']} />
        </>
      )}
    </DraftRows>
  </Card>
)

const STARTUP: Path = ['runtime', 'startup']
const STARTS = [
  { value: 'argv', label: 'Program and arguments' },
  { value: 'text', label: 'Command line for the image’s entry point' },
]

/** How the program starts, and where its data lies. */
export function StartSection() {
  const { draft, set } = useDraft()
  const isText = textAt(draft, [...STARTUP, 'kind']) === 'text'
  return (
    <Card title="Start">
      <div className={styles.section}>
        <DraftSelect
          path={[...STARTUP, 'kind']}
          label="Started by"
          choices={STARTS}
          onChoose={(kind) =>
            set(
              STARTUP,
              kind === 'text'
                ? { kind, commands: [{ name: 'Default', text: '' }] }
                : { kind, command: [] },
            )
          }
        />
        {isText ? (
          <DraftRows
            path={[...STARTUP, 'commands']}
            noun="command"
            ordered
            fresh={() => ({ name: '', text: '' })}
          >
            {(path) => (
              <>
                <DraftText path={[...path, 'name']} label="Name" keep />
                <div className={styles.wide}>
                  <DraftText path={[...path, 'text']} label="Command line" mono keep />
                </div>
              </>
            )}
          </DraftRows>
        ) : (
          <DraftLines
            path={[...STARTUP, 'command']}
            label="Program and arguments"
            description="One a line; {{VARIABLE}} is filled in. Empty keeps those of the image"
            rows={6}
            mono
          />
        )}
        <FieldGrid>
          <DraftText path={['runtime', 'dataPath']} label="Data folder" mono keep />
          <DraftNumber
            path={['runtime', 'temporaryMb']}
            label="Temporary files (MiB)"
            placeholder="64"
          />
        </FieldGrid>
        <EnvironmentRows />
        <DraftWords
          path={['runtime', 'capabilities']}
          label="Capabilities"
          description={`Usually none. Possible: ${CAPABILITIES.join(', ')}`}
          mono
        />
        <DraftSwitch
          path={['runtime', 'writableRoot']}
          label="The image’s own files are writable"
          usual={false}
        />
        <DraftSwitch path={['runtime', 'tty']} label="Runs in a terminal" usual={false} />
      </div>
    </Card>
  )
}

const PROOF: Path = ['runtime', 'proofOfLife']
const KINDS = [
  { value: 'text', label: 'Contains' },
  { value: 'regex', label: 'Matches' },
]
const ENDINGS = [
  { value: 'command', label: 'Console command' },
  { value: 'signal', label: 'Signal' },
]

/** How Lodge knows that the server is ready, and how it is stopped. */
export function ReadySection() {
  const { draft, set } = useDraft()
  return (
    <Card title="Ready and stop">
      <div className={styles.section}>
        <Text muted small>
          A server is ready as soon as one of these is true.
        </Text>
        <DraftRows
          path={[...PROOF, 'patterns']}
          noun="line of output"
          fresh={() => ({ kind: 'text', value: '' })}
        >
          {(path) => (
            <>
              <DraftSelect path={[...path, 'kind']} label="A line" choices={KINDS} />
              <DraftText path={[...path, 'value']} label="Text" mono keep />
            </>
          )}
        </DraftRows>
        <FieldGrid>
          <DraftSelect
            path={[...PROOF, 'tcpPort']}
            label="Port that accepts connections"
            usual="none"
            choices={[
              { value: 'none', label: 'Not checked' },
              { value: 'primary', label: 'The primary port' },
            ]}
            onChoose={(port) => set([...PROOF, 'tcpPort'], port === 'none' ? undefined : port)}
          />
          <DraftNumber path={[...PROOF, 'stayUpSeconds']} label="Runs for (seconds)" />
          <DraftNumber
            path={[...PROOF, 'timeoutSeconds']}
            label="Given up after (seconds)"
            placeholder="300"
          />
        </FieldGrid>
        <h3>Stop, step by step</h3>
        <DraftRows
          path={['runtime', 'stop']}
          noun="step"
          ordered
          fresh={() => ({ kind: 'signal', signal: 'SIGTERM', timeoutSeconds: 30 })}
        >
          {(path) => {
            const isSignal = textAt(draft, [...path, 'kind']) === 'signal'
            return (
              <>
                <DraftSelect
                  path={[...path, 'kind']}
                  label="By"
                  choices={ENDINGS}
                  onChoose={(kind) =>
                    set(
                      path,
                      kind === 'signal'
                        ? { kind, signal: 'SIGTERM', timeoutSeconds: 30 }
                        : { kind, text: 'stop', timeoutSeconds: 120 },
                    )
                  }
                />
                {isSignal ? (
                  <DraftSelect
                    path={[...path, 'signal']}
                    label="Signal"
                    choices={SIGNALS.map((value) => ({ value, label: value }))}
                  />
                ) : (
                  <DraftText path={[...path, 'text']} label="Command" mono keep />
                )}
                <DraftNumber path={[...path, 'timeoutSeconds']} label="Waits (seconds)" />
              </>
            )
          }}
        </DraftRows>
      </div>
    </Card>
  )
}

/** Recommended sizes and ports. */
export const SizeSection = () => (
  <Card title="Sizes and ports">
    <div className={styles.section}>
      <FieldGrid least={150}>
        <DraftNumber path={['runtime', 'limits', 'memoryMb']} label="Memory (MiB)" />
        <DraftNumber path={['runtime', 'limits', 'cpuPercent']} label="CPU (% of a core)" />
        <DraftNumber path={['runtime', 'limits', 'diskMb']} label="Disk (MiB)" />
      </FieldGrid>
      <h3>Primary port</h3>
      <FieldGrid>
        <DraftSelect
          path={['runtime', 'port', 'protocol']}
          label="Protocol"
          usual="both"
          choices={PROTOCOLS}
        />
        <DraftNumber
          path={['runtime', 'port', 'containerPort']}
          label="Port inside"
          placeholder="As outside"
        />
      </FieldGrid>
      <h3>More ports</h3>
      <DraftRows
        path={['runtime', 'extraPorts']}
        noun="port"
        none="One port is enough for this template."
        fresh={() => ({ label: '', protocol: 'tcp' })}
      >
        {(path) => (
          <>
            <DraftText path={[...path, 'label']} label="Label" keep />
            <DraftSelect path={[...path, 'protocol']} label="Protocol" choices={PROTOCOLS} />
            <DraftNumber
              path={[...path, 'containerPort']}
              label="Port inside"
              placeholder="As outside"
            />
          </>
        )}
      </DraftRows>
    </div>
  </Card>
)
