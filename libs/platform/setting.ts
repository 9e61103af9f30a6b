import { z } from 'zod'

/** `about` is Markdown, with links relative to `docs`. `default` replaces the default of the schema on the page. */
export type SettingDoc = { about: string; default?: string; example?: string }

const docs = z.registry<SettingDoc>()
export const docOf = (field: z.ZodType): SettingDoc | undefined => docs.get(field)

/** Documents an environment variable. The pages, and the specs that set every variable, read this. */
export const setting = <S extends z.ZodType>(schema: S, doc: SettingDoc): S => {
  const field = schema.clone()
  docs.add(field, doc)
  return field
}

type Def = Partial<Record<'in' | 'out' | 'left' | 'right', z.ZodType>> & {
  shape?: Record<string, z.ZodType>
  options?: z.ZodType[]
}

/** Returns the schemas of all variables that a schema of the environment reads. */
export const fieldsOf = (schema: z.ZodType): [name: string, field: z.ZodType][] => {
  const { shape = {}, in: input, out, left, right, options = [] } = schema.def as Def
  const parts = [input, out, left, right, ...options].filter((part) => part !== undefined)
  return [...Object.entries(shape), ...parts.flatMap(fieldsOf)]
}

type CamelCase<Name> = Name extends `${infer First}_${infer Rest}`
  ? `${Lowercase<First>}${Capitalize<CamelCase<Rest>>}`
  : Lowercase<Name & string>
export type CamelCased<Env> = { [Name in keyof Env as CamelCase<Name>]: Env[Name] }

/** Renames every variable of an environment for use in code: `FOUR_EYES` becomes `fourEyes`. */
export const camelCased = <Env extends object>(env: Env): CamelCased<Env> => {
  const camel = (name: string): string =>
    name.toLowerCase().replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [camel(name), value])) as CamelCased<Env>
}
