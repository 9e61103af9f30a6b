import { Button, Select } from '../ui/controls'

type Collections = string | string[] | undefined

export const existingCollections = (chosen: Collections, names?: string[]): string[] =>
  [chosen ?? []].flat().filter((name) => name !== '' && (names?.includes(name) ?? true))

type Props = { chosen: string[]; names: string[] | undefined; onChange: (collection: string | string[]) => void }

export const CollectionPicker = ({ chosen, names = chosen, onChange }: Props) => {
  const [first = '', ...others] = chosen
  const left = names.filter((name) => !chosen.includes(name))
  const choose = ([one = '', ...more]: string[]): void => onChange(more.length > 0 ? [one, ...more] : one)
  return (
    <>
      <Select
        label="Collection"
        labelled="unseen"
        value={first}
        options={[['', 'All collections'], ...names.map((name) => [name, name] as const)]}
        onChange={(name) => choose(name === '' ? [] : [name, ...others.filter((other) => other !== name)])}
      />
      {others.map((name) => (
        <Button
          key={name}
          quiet
          aria-label={`Remove ${name} from the search`}
          onPress={() => choose(chosen.filter((one) => one !== name))}
        >
          {name} ×
        </Button>
      ))}
      {first !== '' && left.length > 0 && (
        <Select
          label="Also search in"
          labelled="unseen"
          value=""
          options={[['', 'Also search in …'], ...left.map((name) => [name, name] as const)]}
          onChange={(name) => choose([...chosen, name])}
        />
      )}
    </>
  )
}
