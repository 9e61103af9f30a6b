import { listed } from '../text'

/** `range`: takes in what lies between two numbers. `measure`: heads a column that says what its row measures. */
export type Role = 'plain' | 'count' | 'cell' | 'percent' | 'range' | 'measure' | Operation
export const operations = ['highest', 'lowest', 'sum', 'average'] as const
export type Operation = (typeof operations)[number]

/**
 * What a word of a question does beside naming a row, a column or a table, in the languages known here. A word that stands nowhere here
 * and nowhere in the table may change what is asked; negations and comparisons are left out on purpose.
 */
const words: Record<Role, string> = {
  plain: `a an the of in on at for by with is are was were be been being does do did has have had what which who whose when where how much
    me my please i want to know tell give also and or as it its there that this these those us we you can could would s
    der die das den dem des ein eine einer einem einen und oder ist sind war waren hat haben hatte im am auf fur von vom zum zur bei mit wie
    viel was welche welcher welches welchen wer wo wann gibt es ich mir bitte
    le la les l un une des du de d et ou est sont etait ont au aux en dans sur pour par avec quel quelle quels quelles que qu qui
    il y je moi`,
  count: 'many viele combien',
  cell: `value values figure figures number numbers entry listed list lists report reported reports show shows stated given table retrieve
    find look up get read long often wert werte zahl zahlen tabelle hoch lang lange valeur valeurs chiffre chiffres nombre tableau`,
  percent: 'percent percentage percentages prozent pourcent pourcentage',
  range: 'between from until through bis zwischen entre jusque',
  measure:
    'metric metrics measure measures indicator indicators kpi quantity parameter kennzahl merkmal indicateur mesure',
  highest: 'highest largest greatest biggest most maximum max hochste hochsten grosste grossten meisten plus',
  lowest: 'lowest smallest least fewest minimum min niedrigste niedrigsten kleinste kleinsten wenigsten moins',
  sum: 'sum total totals summe gesamt insgesamt somme',
  average: 'average mean durchschnitt durchschnittlich moyenne',
}

export const roles: ReadonlyMap<string, Role> = new Map(
  (Object.keys(words) as Role[]).flatMap((role) => listed(words[role]).map((word): [string, Role] => [word, role])),
)
