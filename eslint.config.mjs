import nx from '@nx/eslint-plugin'
import ts from 'typescript-eslint'

const base = ['contracts', 'platform']
const pure = [...base, 'flow', 'knowledge']
const middle = [...pure, 'ports', 'skills', 'adapters', 'worker']
const wiring = [...middle, 'encoder', 'hosting', 'testing']
const may = (tag, libs) => ({ sourceTag: `lib:${tag}`, onlyDependOnLibsWithTags: libs.map((lib) => `lib:${lib}`) })

/** apps, lab → stages, gateway, ingestor, hosting → worker, adapters, parsing, skills → ports, knowledge → flow → contracts. */
const depConstraints = [
  may('contracts', []),
  may('platform', []),
  may('commands', []),
  may('client', ['contracts']),
  may('flow', ['contracts']),
  may('knowledge', ['contracts', 'flow']),
  may('ports', pure),
  may('testing', [...pure, 'ports']),
  may('skills', [...pure, 'ports', 'testing']),
  may('adapters', [...pure, 'ports', 'testing']),
  may('parsing', [...pure, 'ports', 'testing']),
  may('encoder', [...base, 'ports', 'testing']),
  may('worker', [...pure, 'ports', 'testing']),
  may('hosting', [...middle, 'encoder', 'testing']),
  may('stages', wiring),
  may('gateway', wiring),
  may('ingestor', [...wiring, 'parsing']),
  // A feature uses the core, never another feature.
  may('feature', [...wiring, 'gateway', 'ingestor']),
  may('features', [...wiring, 'gateway', 'ingestor', 'feature']),
  { sourceTag: 'type:workspace', onlyDependOnLibsWithTags: ['type:lib'] },
  { sourceTag: 'type:app', onlyDependOnLibsWithTags: ['type:lib'] },
  { sourceTag: 'type:lab', onlyDependOnLibsWithTags: ['type:lib'] },
  { sourceTag: 'app:dashboard', onlyDependOnLibsWithTags: ['lib:contracts', 'lib:client'] },
  {
    sourceTag: 'app:cli',
    onlyDependOnLibsWithTags: ['lib:contracts', 'lib:client', 'lib:commands', 'lib:platform', 'lib:adapters'],
  },
]

export default ts.config(
  { ignores: ['**/node_modules', 'dist', '.nx', '.data', 'coverage', 'lab/bench/peers'] },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [ts.configs.base],
    plugins: { '@nx': nx },
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@nx/enforce-module-boundaries': ['error', { allow: [], allowCircularSelfDependency: true, depConstraints }],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      'max-lines': ['error', { max: 350 }],
      'max-lines-per-function': ['error', { max: 60 }],
      'no-console': 'error',
      eqeqeq: 'error',
    },
  },
  {
    files: ['**/*.ts'],
    ignores: ['libs/parsing/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [{ regex: '^@plumbline/parsing/(?!spec/)', message: 'Parsing has one face: @plumbline/parsing.' }],
        },
      ],
    },
  },
  {
    files: ['libs/flow/**/*.ts', 'libs/contracts/**/*.ts', 'libs/knowledge/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    rules: {
      'no-restricted-imports': ['error', { patterns: [{ group: ['node:*'], message: 'The core is pure: no I/O.' }] }],
      'no-restricted-globals': [
        'error',
        'process',
        'fetch',
        'setTimeout',
        'setInterval',
        { name: 'Date', message: 'Time comes in with the report.' },
      ],
      'no-restricted-properties': [
        'error',
        { object: 'Math', property: 'random', message: 'The core is deterministic.' },
      ],
    },
  },
  {
    files: ['**/*.spec.ts', '**/*.contract.ts'],
    rules: { 'max-lines-per-function': 'off', '@typescript-eslint/no-non-null-assertion': 'off' },
  },
  {
    files: ['apps/cli/**/*.ts', 'apps/local/**/*.ts', 'lab/**/*.ts', 'tools/**/*.ts'],
    rules: { 'no-console': 'off' },
  },
)
