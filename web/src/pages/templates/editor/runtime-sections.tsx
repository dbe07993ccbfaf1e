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
import { t } from './words.ts'

const protocols = () => [
  { value: 'tcp', label: t.tcp },
  { value: 'udp', label: t.udp },
  { value: 'both', label: t.tcpAndUdp },
]

const sources = () => [
  { value: 'registry', label: t.registry },
  { value: 'debian', label: t.debianPackages },
]
const EMPTY_SOURCES: Readonly<Record<string, unknown>> = {
  registry: { kind: 'registry', reference: '' },
  debian: { kind: 'debian', suite: 'bookworm', packages: [] },
}

/** The source of an image: a registry, or Debian packages. */
export function SourceFields({ path }: { path: Path }) {
  const { draft, set } = useDraft()
  const isDebian = textAt(draft, [...path, 'kind']) === 'debian'
  return (
    <>
      <DraftSelect
        path={[...path, 'kind']}
        label={t.comesFrom}
        choices={sources()}
        onChoose={(kind) => set(path, EMPTY_SOURCES[kind])}
      />
      <div className={styles.wide}>
        {isDebian ? (
          <DraftWords path={[...path, 'packages']} label={t.packages} mono />
        ) : (
          <DraftText
            path={[...path, 'reference']}
            label={t.reference}
            placeholder={t.referenceExample}
            mono
            keep
          />
        )}
      </div>
    </>
  )
}

const IMAGES: Path = ['runtime', 'images']

/** The images that a server may use. */
export const ImageSection = () => (
  <Card title={t.images}>
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
            label={t.name}
            keep
            {...(index === 0 ? { description: t.defaultImage } : {})}
          />
          <SourceFields path={[...path, 'source']} />
        </>
      )}
    </DraftRows>
  </Card>
)

const STARTUP: Path = ['runtime', 'startup']
const starts = () => [
  { value: 'argv', label: t.program },
  { value: 'text', label: t.entryPointLine },
]

/** How the program starts, and where its data are. */
export function StartSection() {
  const { draft, set } = useDraft()
  const isText = textAt(draft, [...STARTUP, 'kind']) === 'text'
  return (
    <Card title={t.start}>
      <div className={styles.section}>
        <DraftSelect
          path={[...STARTUP, 'kind']}
          label={t.startedBy}
          choices={starts()}
          onChoose={(kind) =>
            set(
              STARTUP,
              kind === 'text'
                ? { kind, commands: [{ name: t.defaultCommand, text: '' }] }
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
                <DraftText path={[...path, 'name']} label={t.name} keep />
                <div className={styles.wide}>
                  <DraftText path={[...path, 'text']} label={t.commandLine} mono keep />
                </div>
              </>
            )}
          </DraftRows>
        ) : (
          <DraftLines
            path={[...STARTUP, 'command']}
            label={t.program}
            description={t.programHelp({ variable: '{{VARIABLE}}' })}
            rows={6}
            mono
          />
        )}
        <FieldGrid>
          <DraftText path={['runtime', 'dataPath']} label={t.dataFolder} mono keep />
          <DraftNumber
            path={['runtime', 'temporaryMb']}
            label={t.temporaryFiles}
            placeholder="64"
          />
        </FieldGrid>
        <EnvironmentRows />
        <DraftWords
          path={['runtime', 'capabilities']}
          label={t.capabilities}
          description={t.capabilitiesHelp({ names: CAPABILITIES.join(', ') })}
          mono
        />
        <DraftSwitch path={['runtime', 'writableRoot']} label={t.writableRoot} usual={false} />
        <DraftSwitch path={['runtime', 'tty']} label={t.terminal} usual={false} />
      </div>
    </Card>
  )
}

const PROOF: Path = ['runtime', 'proofOfLife']
const kinds = () => [
  { value: 'text', label: t.contains },
  { value: 'regex', label: t.matches },
]
const endings = () => [
  { value: 'command', label: t.consoleCommand },
  { value: 'signal', label: t.signal },
]

/** How Lodge knows that the server is ready, and how it is stopped. */
export function ReadySection() {
  const { draft, set } = useDraft()
  return (
    <Card title={t.readyAndStop}>
      <div className={styles.section}>
        <Text muted small>
          {t.readyHelp}
        </Text>
        <DraftRows
          path={[...PROOF, 'patterns']}
          noun="output"
          fresh={() => ({ kind: 'text', value: '' })}
        >
          {(path) => (
            <>
              <DraftSelect path={[...path, 'kind']} label={t.line} choices={kinds()} />
              <DraftText path={[...path, 'value']} label={t.text} mono keep />
            </>
          )}
        </DraftRows>
        <FieldGrid>
          <DraftSelect
            path={[...PROOF, 'tcpPort']}
            label={t.acceptingPort}
            usual="none"
            choices={[
              { value: 'none', label: t.notChecked },
              { value: 'primary', label: t.thePrimaryPort },
            ]}
            onChoose={(port) => set([...PROOF, 'tcpPort'], port === 'none' ? undefined : port)}
          />
          <DraftNumber path={[...PROOF, 'stayUpSeconds']} label={t.runsFor} />
          <DraftNumber path={[...PROOF, 'timeoutSeconds']} label={t.timeout} placeholder="300" />
        </FieldGrid>
        <h3>{t.stopSteps}</h3>
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
                  label={t.stopBy}
                  choices={endings()}
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
                    label={t.signal}
                    choices={SIGNALS.map((value) => ({ value, label: value }))}
                  />
                ) : (
                  <DraftText path={[...path, 'text']} label={t.command} mono keep />
                )}
                <DraftNumber path={[...path, 'timeoutSeconds']} label={t.waits} />
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
  <Card title={t.sizesAndPorts}>
    <div className={styles.section}>
      <FieldGrid least={150}>
        <DraftNumber path={['runtime', 'limits', 'memoryMb']} label={t.memory} />
        <DraftNumber path={['runtime', 'limits', 'cpuPercent']} label={t.cpu} />
        <DraftNumber path={['runtime', 'limits', 'diskMb']} label={t.disk} />
      </FieldGrid>
      <h3>{t.primaryPort}</h3>
      <FieldGrid>
        <DraftSelect
          path={['runtime', 'port', 'protocol']}
          label={t.protocol}
          usual="both"
          choices={protocols()}
        />
        <DraftNumber
          path={['runtime', 'port', 'containerPort']}
          label={t.portInside}
          placeholder={t.asOutside}
        />
      </FieldGrid>
      <h3>{t.morePorts}</h3>
      <DraftRows
        path={['runtime', 'extraPorts']}
        noun="port"
        none={t.onePort}
        fresh={() => ({ label: '', protocol: 'tcp' })}
      >
        {(path) => (
          <>
            <DraftText path={[...path, 'label']} label={t.portLabel} keep />
            <DraftSelect path={[...path, 'protocol']} label={t.protocol} choices={protocols()} />
            <DraftNumber
              path={[...path, 'containerPort']}
              label={t.portInside}
              placeholder={t.asOutside}
            />
          </>
        )}
      </DraftRows>
    </div>
  </Card>
)
