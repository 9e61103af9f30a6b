import { listed } from './normal'

/** Function words of English, German and French, without those that are a content word in another of the three (die, war, pour, son). */
export const stopWords: ReadonlySet<string> = new Set(
  listed(`
  a about above after again all also am an and any are as at be been before being below between both but by can could did do does doing
  done down during each either else etc every few for from further get had has have having he her here hers him his how however i if in
  into is it its itself just let many may me might more most much must my near neither no nor not of off on once one only onto or other our
  ours out over own per said same shall she should since so some such than that the their theirs them then there these they this those
  through thus to too under until up upon us very via was we were what when where whether which while who whom whose why will with
  within without would yes yet you your yours
  across along although amid among around behind beside beyond despite though throughout toward towards unless whereas
  accordingly additionally besides consequently conversely finally furthermore hence indeed instead likewise meanwhile moreover nevertheless
  nonetheless notably overall respectively similarly specifically therefore s t re ve ll d m don doesn didn isn aren wasn weren won
  aber alle allen aller als auch auf aus bei beim bis da dann das dass dem den denn der des dich diese diesem diesen dieser dieses dir
  doch du durch ein eine einem einen einer eines er es etwas euch gegen haben hatte hatten ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im
  ist jede jedem jeden jeder jedes kann kein keine keinem keinen keiner konnen mein meine mich mir muss mussen nach nicht noch nur ob oder
  ohne schon sehr sein seine seinem seinen seiner sich sie sind soll sollen uber um und uns unser unsere unter vom von vor wann warum
  welche welchem welchen welcher welches wem wen wenn wer werden weshalb wie wieso wir wird wo woher wohin wurde wurden zu zum zur
  zwischen au aucun aucune aussi autre autres aux avaient avait avec avez avoir avons ce cela ces cet cette ceux chaque chez combien comme
  comment dans de depuis dois doit doivent dont elle elles en est et etaient etait etre eux il ils je l lequel laquelle lesquels
  lesquelles leur leurs lui ma mais meme mes moi mon ne nos notre nous ont ou par pas pendant peut peuvent pourquoi qu quand que quel
  quelle quelles quels qui quoi sa sans selon ses si sont sous sur tes toi toujours tous tout toute toutes tu une vos votre vous y
`),
)
