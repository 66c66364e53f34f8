// Made from docs/decisions.json by scripts/decision_tables.py: do not edit.
// swift-format-ignore-file

/// docs/reasons.json as it is: the library reads no file for its sentences.
enum ReasonData {
  static let json = #"""
{
 "version": 1,
 "languages": [
  "en",
  "nl",
  "de",
  "fr",
  "es"
 ],
 "sentences": {
  "presence.accuracy": {
   "en": "The fix is too inaccurate to tell inside from outside of this region: {accuracy} m[, not {limit} m].",
   "nl": "De positie is te onnauwkeurig om binnen van buiten te onderscheiden: {accuracy} m[, niet {limit} m].",
   "de": "Die Position ist zu ungenau, um innen und außen zu unterscheiden: {accuracy} m[, nicht {limit} m].",
   "fr": "La position est trop imprécise pour distinguer dedans et dehors : {accuracy} m[, et non {limit} m].",
   "es": "La posición es demasiado imprecisa para distinguir dentro de fuera: {accuracy} m[, no {limit} m]."
  },
  "presence.hysteresis": {
   "en": "The fix is {distance} m outside, but within the {margin} m that keep a visit.",
   "nl": "De positie is {distance} m buiten, maar binnen de {margin} m die een bezoek behouden.",
   "de": "Die Position liegt {distance} m außerhalb, aber innerhalb der {margin} m, die einen Besuch erhalten.",
   "fr": "La position est à {distance} m dehors, mais dans les {margin} m qui maintiennent une visite.",
   "es": "La posición está {distance} m fuera, pero dentro de los {margin} m que mantienen una visita."
  },
  "presence.stale": {
   "en": "It was due at {at}, and no fix has shown in time that the device was still there.",
   "nl": "Het was aan de beurt om {at}, en geen positie heeft op tijd laten zien dat het apparaat er nog was.",
   "de": "Es war um {at} fällig, und keine Position hat rechtzeitig gezeigt, dass das Gerät noch dort war.",
   "fr": "C'était dû à {at}, et aucune position n'a montré à temps que l'appareil était encore là.",
   "es": "Tocaba a las {at}, y ninguna posición mostró a tiempo que el dispositivo seguía allí."
  },
  "presence.hint-stale": {
   "en": "The system's hint ({detail}) is older than what is known.",
   "nl": "De melding van het systeem ({detail}) is ouder dan wat bekend is.",
   "de": "Der Hinweis des Systems ({detail}) ist älter als das, was bekannt ist.",
   "fr": "L'indication du système ({detail}) est plus ancienne que ce qui est connu.",
   "es": "La indicación del sistema ({detail}) es más antigua que lo que se sabe."
  },
  "presence.hint-duplicate": {
   "en": "What the system's hint ({detail}) says is so already.",
   "nl": "Wat de melding van het systeem ({detail}) zegt, is al zo.",
   "de": "Was der Hinweis des Systems ({detail}) sagt, ist schon so.",
   "fr": "Ce que dit l'indication du système ({detail}) est déjà le cas.",
   "es": "Lo que dice la indicación del sistema ({detail}) ya es así."
  },
  "presence.hint-contradicted": {
   "en": "A position speaks clearly against the system's hint ({detail}).",
   "nl": "Een positie spreekt de melding van het systeem ({detail}) duidelijk tegen.",
   "de": "Eine Position spricht deutlich gegen den Hinweis des Systems ({detail}).",
   "fr": "Une position contredit clairement l'indication du système ({detail}).",
   "es": "Una posición contradice claramente la indicación del sistema ({detail})."
  },
  "presence.coarse": {
   "en": "The fix knows less than is known already: {accuracy} m, where the device is known to {uncertainty} m; it counts for nothing.",
   "nl": "De positie weet minder dan al bekend is: {accuracy} m, terwijl het toestel op {uncertainty} m bekend is; zij telt niet mee.",
   "de": "Die Position weiß weniger, als schon bekannt ist: {accuracy} m, während das Gerät auf {uncertainty} m bekannt ist; sie zählt nicht.",
   "fr": "La position en dit moins que ce qui est déjà connu : {accuracy} m, alors que l'appareil est connu à {uncertainty} m près ; elle ne compte pas.",
   "es": "La posición sabe menos de lo que ya se sabe: {accuracy} m, cuando el dispositivo se conoce con {uncertainty} m; no cuenta."
  },
  "presence.jump": {
   "en": "The device seems to have jumped by {step} m since {since}; that counts when it lasts.",
   "nl": "Het toestel lijkt sinds {since} {step} m versprongen; dat telt als het aanhoudt.",
   "de": "Das Gerät scheint seit {since} um {step} m gesprungen zu sein; das zählt, wenn es anhält.",
   "fr": "L'appareil semble avoir sauté de {step} m depuis {since} ; cela compte si cela dure.",
   "es": "El dispositivo parece haber saltado {step} m desde {since}; eso cuenta si dura."
  },
  "presence.shift": {
   "en": "The device was at rest, and seems to be {step} m from there since {since}; that counts when it lasts, or goes on.",
   "nl": "Het toestel was in rust, en lijkt sinds {since} {step} m daarvandaan; dat telt als het aanhoudt of verdergaat.",
   "de": "Das Gerät war in Ruhe und scheint seit {since} {step} m von dort entfernt; das zählt, wenn es anhält oder weitergeht.",
   "fr": "L'appareil était au repos et semble être à {step} m de là depuis {since} ; cela compte si cela dure ou continue.",
   "es": "El dispositivo estaba en reposo y parece estar a {step} m de allí desde {since}; eso cuenta si dura o sigue."
  },
  "presence.at-rest": {
   "en": "The device is at rest since {since}, and all fixes together say that the edge is {distance} m away, give or take {uncertainty} m; this fix alone says otherwise.",
   "nl": "Het toestel is sinds {since} in rust, en alle posities samen zeggen dat de rand {distance} m weg is, met {uncertainty} m onzekerheid; deze positie alleen zegt iets anders.",
   "de": "Das Gerät ist seit {since} in Ruhe, und alle Positionen zusammen sagen, dass der Rand {distance} m entfernt ist, auf {uncertainty} m genau; diese allein sagt etwas anderes.",
   "fr": "L'appareil est au repos depuis {since}, et toutes les positions ensemble disent que le bord est à {distance} m, à {uncertainty} m près ; celle-ci seule dit autre chose.",
   "es": "El dispositivo está en reposo desde {since}, y todas las posiciones juntas dicen que el borde está a {distance} m, con {uncertainty} m de margen; esta sola dice otra cosa."
  },
  "presence.hint-unproven": {
   "en": "The circle around the area was entered; whether the area was is not known.",
   "nl": "De cirkel om het gebied is betreden; of het gebied zelf betreden is, is niet bekend.",
   "de": "Der Kreis um die Fläche wurde betreten; ob die Fläche selbst, ist nicht bekannt.",
   "fr": "Le cercle autour de la zone a été franchi ; on ne sait pas si la zone l'a été.",
   "es": "Se entró en el círculo que rodea el área; no se sabe si también en el área."
  },
  "presence.unproven": {
   "en": "Something is due, and the newest fix[, of {newest},] is too old to say that the device is still there; the app was asked for another.",
   "nl": "Er is iets aan de beurt, en de nieuwste positie[, van {newest},] is te oud om te zeggen dat het apparaat er nog is; de app is om een nieuwe gevraagd.",
   "de": "Etwas ist fällig, und die neueste Position[, von {newest},] ist zu alt, um zu sagen, dass das Gerät noch dort ist; die App wurde um eine neue gebeten.",
   "fr": "Quelque chose est dû, et la position la plus récente[, de {newest},] est trop ancienne pour dire que l'appareil est encore là ; l'app a été priée d'en donner une autre.",
   "es": "Algo toca ahora, y la posición más reciente[, de {newest},] es demasiado antigua para decir que el dispositivo sigue allí; se pidió otra a la app."
  },
  "presence.absence-visited": {
   "en": "There was a visit between {spanStart} and {spanEnd}: no absence.",
   "nl": "Er was een bezoek tussen {spanStart} en {spanEnd}: geen afwezigheid.",
   "de": "Zwischen {spanStart} und {spanEnd} gab es einen Besuch: keine Abwesenheit.",
   "fr": "Il y a eu une visite entre {spanStart} et {spanEnd} : pas d'absence.",
   "es": "Hubo una visita entre {spanStart} y {spanEnd}: no hay ausencia."
  },
  "presence.absence-unknown": {
   "en": "Nobody knows whether there was a visit between {spanStart} and {spanEnd}: from {unknownFrom} to {unknownTo} nothing was heard of the device.",
   "nl": "Niemand weet of er een bezoek was tussen {spanStart} en {spanEnd}: van {unknownFrom} tot {unknownTo} is niets van het apparaat gehoord.",
   "de": "Niemand weiß, ob es zwischen {spanStart} und {spanEnd} einen Besuch gab: von {unknownFrom} bis {unknownTo} war vom Gerät nichts zu hören.",
   "fr": "On ne sait pas s'il y a eu une visite entre {spanStart} et {spanEnd} : de {unknownFrom} à {unknownTo}, l'appareil n'a rien dit.",
   "es": "No se sabe si hubo una visita entre {spanStart} y {spanEnd}: de {unknownFrom} a {unknownTo} no se supo nada del dispositivo."
  },
  "presence.speed": {
   "en": "The device is too fast to enter: {speed} m/s, where {limit} m/s is the most; it passes by.",
   "nl": "Het apparaat is te snel om binnen te komen: {speed} m/s, waar hoogstens {limit} m/s mag; het gaat voorbij.",
   "de": "Das Gerät ist zu schnell, um einzutreten: {speed} m/s bei höchstens {limit} m/s; es fährt vorbei.",
   "fr": "L'appareil est trop rapide pour entrer : {speed} m/s, pour {limit} m/s au plus ; il ne fait que passer.",
   "es": "El dispositivo va demasiado rápido para entrar: {speed} m/s, con un máximo de {limit} m/s; pasa de largo."
  },
  "presence.not-confirmed": {
   "en": "The region seems to be entered, or left, and that is not sure yet.",
   "nl": "Het gebied lijkt betreden of verlaten, en dat is nog niet zeker.",
   "de": "Die Region scheint betreten oder verlassen zu sein, und das ist noch nicht sicher.",
   "fr": "La région semble franchie ou quittée, et ce n'est pas encore sûr.",
   "es": "Parece que se ha entrado en la región o salido de ella, y aún no es seguro."
  },
  "presence.beacon-range": {
   "en": "The beacon is not in the region's range ({range}).",
   "nl": "De beacon is niet binnen het bereik van het gebied ({range}).",
   "de": "Der Beacon ist nicht im Bereich der Region ({range}).",
   "fr": "La balise n'est pas à la portée de la région ({range}).",
   "es": "La baliza no está al alcance de la región ({range})."
  },
  "presence.first-fix": {
   "en": "The device was inside already when it was first located; that is an enter, as `initial` says.",
   "nl": "Het toestel was bij de eerste plaatsbepaling al binnen; dat telt als binnenkomen (`initial`).",
   "de": "Das Gerät war bei der ersten Ortung schon darin; das gilt als Betreten (`initial`).",
   "fr": "L'appareil était déjà dedans à la première localisation ; cela compte comme une entrée (`initial`).",
   "es": "El dispositivo ya estaba dentro en la primera localización; cuenta como entrada (`initial`)."
  },
  "presence.new-region": {
   "en": "A feed update brought the region around the device; that is an enter, as `initialOnUpdate` says.",
   "nl": "Een feed bracht het gebied rondom het toestel; dat telt als binnenkomen (`initialOnUpdate`).",
   "de": "Ein Feed brachte die Region um das Gerät herum; das gilt als Betreten (`initialOnUpdate`).",
   "fr": "Un flux a apporté la région autour de l'appareil ; cela compte comme une entrée (`initialOnUpdate`).",
   "es": "Un feed trajo la región alrededor del dispositivo; cuenta como entrada (`initialOnUpdate`)."
  },
  "presence.region-removed": {
   "en": "The region is gone from the feed, or was changed so that the device is outside; its visit ended in silence.",
   "nl": "Het gebied is uit de feed verdwenen, of zo gewijzigd dat het toestel erbuiten is; het bezoek eindigde in stilte.",
   "de": "Die Region ist aus dem Feed verschwunden oder wurde so geändert, dass das Gerät außerhalb ist; ihr Besuch endete still.",
   "fr": "La région a disparu du flux, ou a été modifiée de sorte que l'appareil est dehors ; sa visite s'est terminée en silence.",
   "es": "La región ya no está en el feed, o ha cambiado de modo que el dispositivo está fuera; su visita terminó en silencio."
  },
  "presence.disabled": {
   "en": "The engine is disabled, or was: a visit ended in silence, or a hint was not followed.",
   "nl": "De engine is of was uitgeschakeld: een bezoek eindigde in stilte, of een melding is niet gevolgd.",
   "de": "Die Engine ist oder war ausgeschaltet: ein Besuch endete still, oder ein Hinweis wurde nicht befolgt.",
   "fr": "Le moteur est ou était désactivé : une visite a pris fin en silence, ou une indication a été ignorée.",
   "es": "El motor está o estaba desactivado: una visita terminó en silencio, o no se siguió una indicación."
  },
  "presence.refuted": {
   "en": "What seemed to be an enter, or an exit, was none.",
   "nl": "Wat een binnenkomst of een vertrek leek, was er geen.",
   "de": "Was ein Eintritt oder ein Austritt schien, war keiner.",
   "fr": "Ce qui semblait une entrée ou une sortie n'en était pas une.",
   "es": "Lo que parecía una entrada o una salida no lo era."
  },
  "presence.implied-speed": {
   "en": "Nobody could have come here since the fix before: that would be {speed} m/s; the fix is left out.",
   "nl": "Niemand kon hier sinds de vorige positie komen: dat zou {speed} m/s zijn; de positie telt niet mee.",
   "de": "Niemand konnte seit der Position davor hierher kommen: das wären {speed} m/s; sie wird ausgelassen.",
   "fr": "Personne n'a pu venir ici depuis la position précédente : ce serait {speed} m/s ; elle est ignorée.",
   "es": "Nadie pudo llegar aquí desde la posición anterior: serían {speed} m/s; se descarta."
  },
  "presence.late": {
   "en": "The fix is older than the newest input ({newest}), and was refused.",
   "nl": "De positie is ouder dan de nieuwste invoer ({newest}), en is geweigerd.",
   "de": "Die Position ist älter als die neueste Eingabe ({newest}) und wurde abgelehnt.",
   "fr": "La position est plus ancienne que la dernière entrée ({newest}) et a été refusée.",
   "es": "La posición es más antigua que la última entrada ({newest}) y fue rechazada."
  },
  "presence.ahead": {
   "en": "The time of the input is later than the clocks allow (at most {latest}), and it was refused.",
   "nl": "De tijd van de invoer is later dan de klokken toestaan (hoogstens {latest}), en ze is geweigerd.",
   "de": "Die Zeit der Eingabe ist später, als die Uhren es zulassen (höchstens {latest}), und sie wurde abgelehnt.",
   "fr": "L'heure de l'entrée est postérieure à ce que les horloges permettent (au plus {latest}), et elle a été refusée.",
   "es": "La hora de la entrada es posterior a lo que permiten los relojes (como máximo {latest}), y fue rechazada."
  },
  "trigger.triggered": {
   "en": "The visit did what the campaign waits for ({trigger}).",
   "nl": "Het bezoek deed waar de campagne op wacht ({trigger}).",
   "de": "Der Besuch tat, worauf die Kampagne wartet ({trigger}).",
   "fr": "La visite a fait ce que la campagne attend ({trigger}).",
   "es": "La visita hizo lo que la campaña espera ({trigger})."
  },
  "trigger.too-many": {
   "en": "More campaigns were triggered at the same moment than the engine takes; this one is beyond the limit.",
   "nl": "Op hetzelfde moment werden meer campagnes geactiveerd dan de engine aanneemt; deze valt buiten de limiet.",
   "de": "Im selben Augenblick wurden mehr Kampagnen ausgelöst, als die Engine annimmt; diese liegt jenseits der Grenze.",
   "fr": "Plus de campagnes ont été déclenchées au même instant que le moteur n'en accepte; celle-ci dépasse la limite.",
   "es": "En el mismo instante se activaron más campañas de las que el motor acepta; esta supera el límite."
  },
  "trigger.over": {
   "en": "The visit was over when the fixes that show it were handed over.",
   "nl": "Het bezoek was voorbij toen de posities die het tonen werden overhandigd.",
   "de": "Der Besuch war vorbei, als die Positionen, die ihn zeigen, übergeben wurden.",
   "fr": "La visite était terminée quand les positions qui la montrent ont été remises.",
   "es": "La visita había terminado cuando se entregaron las posiciones que la muestran."
  },
  "steps.steps-done": {
   "en": "What must have happened before has happened.",
   "nl": "Wat vooraf moest gebeuren, is gebeurd.",
   "de": "Was vorher geschehen musste, ist geschehen.",
   "fr": "Ce qui devait se produire avant s'est produit.",
   "es": "Lo que debía ocurrir antes ha ocurrido."
  },
  "steps.steps-missing": {
   "en": "A step has not been done, or something forbidden came after it: {detail} ({done} of {steps} are done).",
   "nl": "Een stap is niet gedaan, of er kwam iets verbodens na: {detail} ({done} van {steps} gedaan).",
   "de": "Ein Schritt fehlt, oder danach kam etwas Verbotenes: {detail} ({done} von {steps} getan).",
   "fr": "Une étape manque, ou quelque chose d'interdit l'a suivie : {detail} ({done} sur {steps} faites).",
   "es": "Falta un paso, o le siguió algo prohibido: {detail} ({done} de {steps} hechos)."
  },
  "steps.steps-late": {
   "en": "The steps took too long: they began at {start}, and {within} was the most.",
   "nl": "De stappen duurden te lang: ze begonnen om {start}, en {within} was het meeste.",
   "de": "Die Schritte dauerten zu lange: sie begannen um {start}, erlaubt waren {within}.",
   "fr": "Les étapes ont pris trop de temps : commencées à {start}, pour {within} au plus.",
   "es": "Los pasos tardaron demasiado: empezaron a las {start}, con {within} como máximo."
  },
  "visits.visit-counts": {
   "en": "Visit number {ordinal} is one that counts.",
   "nl": "Bezoek nummer {ordinal} telt mee.",
   "de": "Besuch Nummer {ordinal} zählt.",
   "fr": "La visite numéro {ordinal} compte.",
   "es": "La visita número {ordinal} cuenta."
  },
  "visits.visit-does-not-count": {
   "en": "Visit number {ordinal} is none that counts.",
   "nl": "Bezoek nummer {ordinal} telt niet mee.",
   "de": "Besuch Nummer {ordinal} zählt nicht.",
   "fr": "La visite numéro {ordinal} ne compte pas.",
   "es": "La visita número {ordinal} no cuenta."
  },
  "crossing.crossing-counts": {
   "en": "The edge was crossed as the campaign asks.",
   "nl": "De rand is overgestoken zoals de campagne het vraagt.",
   "de": "Der Rand wurde so überquert, wie die Kampagne es verlangt.",
   "fr": "Le bord a été franchi comme la campagne le demande.",
   "es": "El borde se cruzó como lo pide la campaña."
  },
  "crossing.other-direction": {
   "en": "The line was not crossed from the side that the campaign asks for.",
   "nl": "De lijn is niet overgestoken vanaf de kant die de campagne vraagt.",
   "de": "Die Linie wurde nicht von der Seite überquert, die die Kampagne verlangt.",
   "fr": "La ligne n'a pas été franchie depuis le côté que la campagne demande.",
   "es": "La línea no se cruzó desde el lado que pide la campaña."
  },
  "crossing.other-course": {
   "en": "The device went on a course of {course}°; {courseFrom}° to {courseTo}° count.",
   "nl": "Het apparaat ging in de richting {course}°; {courseFrom}° tot {courseTo}° tellen.",
   "de": "Das Gerät bewegte sich auf Kurs {course}°; {courseFrom}° bis {courseTo}° zählen.",
   "fr": "L'appareil suivait un cap de {course}° ; {courseFrom}° à {courseTo}° comptent.",
   "es": "El dispositivo iba con rumbo {course}°; cuentan de {courseFrom}° a {courseTo}°."
  },
  "crossing.other-speed": {
   "en": "The device moved at {speed} m/s, which is not the speed that the campaign asks for.",
   "nl": "Het apparaat bewoog met {speed} m/s, en dat is niet de snelheid die de campagne vraagt.",
   "de": "Das Gerät bewegte sich mit {speed} m/s, und das ist nicht die Geschwindigkeit, die die Kampagne verlangt.",
   "fr": "L'appareil se déplaçait à {speed} m/s, ce qui n'est pas la vitesse que la campagne demande.",
   "es": "El dispositivo se movía a {speed} m/s, y no es la velocidad que pide la campaña."
  },
  "crossing.crossing-unknown": {
   "en": "It is not known how the edge was crossed.",
   "nl": "Het is niet bekend hoe de rand is overgestoken.",
   "de": "Es ist nicht bekannt, wie der Rand überquert wurde.",
   "fr": "On ne sait pas comment le bord a été franchi.",
   "es": "No se sabe cómo se cruzó el borde."
  },
  "validity.valid": {
   "en": "The campaign is within its start and end.",
   "nl": "De campagne is tussen haar begin en einde.",
   "de": "Die Kampagne liegt zwischen ihrem Anfang und Ende.",
   "fr": "La campagne est entre son début et sa fin.",
   "es": "La campaña está entre su inicio y su fin."
  },
  "validity.not-started": {
   "en": "The campaign has not started: it does at {start}.",
   "nl": "De campagne is nog niet begonnen: dat doet ze om {start}.",
   "de": "Die Kampagne hat noch nicht begonnen: sie beginnt um {start}.",
   "fr": "La campagne n'a pas commencé : elle commence à {start}.",
   "es": "La campaña no ha empezado: empieza a las {start}."
  },
  "validity.ended": {
   "en": "The campaign has ended, at {end}.",
   "nl": "De campagne is afgelopen, om {end}.",
   "de": "Die Kampagne ist zu Ende, seit {end}.",
   "fr": "La campagne est terminée, depuis {end}.",
   "es": "La campaña ha terminado, a las {end}."
  },
  "validity.notifications-disabled": {
   "en": "The feed's settings have switched notifications off.",
   "nl": "De instellingen van de feed hebben meldingen uitgezet.",
   "de": "Die Einstellungen des Feeds haben Mitteilungen ausgeschaltet.",
   "fr": "Les réglages du flux ont désactivé les notifications.",
   "es": "Los ajustes del feed han desactivado las notificaciones."
  },
  "times.anytime": {
   "en": "Neither the campaign nor the region has times.",
   "nl": "Noch de campagne noch het gebied heeft tijden.",
   "de": "Weder die Kampagne noch die Region hat Zeiten.",
   "fr": "Ni la campagne ni la région n'ont d'horaires.",
   "es": "Ni la campaña ni la región tienen horarios."
  },
  "times.within-times": {
   "en": "It is within its times ({localTime}, {zone}).",
   "nl": "Het is binnen de tijden ({localTime}, {zone}).",
   "de": "Es liegt in den Zeiten ({localTime}, {zone}).",
   "fr": "C'est dans ses horaires ({localTime}, {zone}).",
   "es": "Está dentro de su horario ({localTime}, {zone})."
  },
  "times.outside-times": {
   "en": "It is outside its times: the clock shows {localTime} ({zone}).",
   "nl": "Het is buiten de tijden: de klok wijst {localTime} ({zone}).",
   "de": "Es liegt außerhalb der Zeiten: die Uhr zeigt {localTime} ({zone}).",
   "fr": "C'est hors de ses horaires : il est {localTime} ({zone}).",
   "es": "Está fuera de su horario: son las {localTime} ({zone})."
  },
  "times.held": {
   "en": "It is outside its times, and waits for them: the clock shows {localTime} ({zone}).",
   "nl": "Het is buiten de tijden en wacht erop: de klok wijst {localTime} ({zone}).",
   "de": "Es liegt außerhalb der Zeiten und wartet auf sie: die Uhr zeigt {localTime} ({zone}).",
   "fr": "C'est hors de ses horaires, et les attend : il est {localTime} ({zone}).",
   "es": "Está fuera de su horario y lo espera: son las {localTime} ({zone})."
  },
  "times.left": {
   "en": "The visit ended before its times came.",
   "nl": "Het bezoek eindigde voor de tijden kwamen.",
   "de": "Der Besuch endete, bevor die Zeiten kamen.",
   "fr": "La visite s'est terminée avant ses horaires.",
   "es": "La visita terminó antes de que llegara su horario."
  },
  "times.campaign-removed": {
   "en": "It waited for its times; a new feed has taken its campaign away, or changed what it waits for.",
   "nl": "Het wachtte op zijn tijden; een nieuwe feed heeft de campagne weggenomen, of veranderd waar die op wacht.",
   "de": "Es wartete auf seine Zeiten; ein neuer Feed hat die Kampagne weggenommen oder geändert, worauf sie wartet.",
   "fr": "Elle attendait ses horaires ; un nouveau flux a retiré sa campagne, ou changé ce qu'elle attend.",
   "es": "Esperaba su horario; un feed nuevo ha quitado su campaña, o ha cambiado lo que espera."
  },
  "segmentation.matched": {
   "en": "The conditions are true, or there are none.",
   "nl": "De voorwaarden zijn waar, of er zijn er geen.",
   "de": "Die Bedingungen sind erfüllt, oder es gibt keine.",
   "fr": "Les conditions sont remplies, ou il n'y en a pas.",
   "es": "Las condiciones se cumplen, o no hay ninguna."
  },
  "segmentation.property-missing": {
   "en": "The device has no value for the property {detail}.",
   "nl": "Het apparaat heeft geen waarde voor de eigenschap {detail}.",
   "de": "Das Gerät hat keinen Wert für die Eigenschaft {detail}.",
   "fr": "L'appareil n'a pas de valeur pour la propriété {detail}.",
   "es": "El dispositivo no tiene valor para la propiedad {detail}."
  },
  "segmentation.property-differs": {
   "en": "The conditions are not true[, because of {detail}][ (here: {value})][ (country: {country})][ (minutes of travel: {travelMinutes})].",
   "nl": "De voorwaarden zijn niet waar[, door {detail}][ (hier: {value})][ (land: {country})][ (reistijd in minuten: {travelMinutes})].",
   "de": "Die Bedingungen sind nicht erfüllt[, wegen {detail}][ (hier: {value})][ (Land: {country})][ (Minuten Weg: {travelMinutes})].",
   "fr": "Les conditions ne sont pas remplies[, à cause de {detail}][ (ici : {value})][ (pays : {country})][ (minutes de trajet : {travelMinutes})].",
   "es": "Las condiciones no se cumplen[, por {detail}][ (aquí: {value})][ (país: {country})][ (minutos de trayecto: {travelMinutes})]."
  },
  "repeat.allowed": {
   "en": "It has not been shown, or may be shown again.",
   "nl": "Het is niet getoond, of mag weer getoond worden.",
   "de": "Es wurde nicht gezeigt oder darf wieder gezeigt werden.",
   "fr": "Elle n'a pas été montrée, ou peut l'être à nouveau.",
   "es": "No se ha mostrado, o puede mostrarse de nuevo."
  },
  "repeat.once-only": {
   "en": "It was shown at {lastShown}, and is shown only once.",
   "nl": "Het is getoond om {lastShown}, en wordt maar één keer getoond.",
   "de": "Es wurde um {lastShown} gezeigt und wird nur einmal gezeigt.",
   "fr": "Elle a été montrée à {lastShown}, et ne l'est qu'une fois.",
   "es": "Se mostró a las {lastShown}, y solo se muestra una vez."
  },
  "repeat.campaign-cooldown": {
   "en": "It was shown at {lastShown}, and its own cooldown of {cooldown} has not passed.",
   "nl": "Het is getoond om {lastShown}, en de eigen wachttijd van {cooldown} is niet voorbij.",
   "de": "Es wurde um {lastShown} gezeigt, und seine eigene Wartezeit von {cooldown} ist nicht vorbei.",
   "fr": "Elle a été montrée à {lastShown}, et son propre délai de {cooldown} n'est pas écoulé.",
   "es": "Se mostró a las {lastShown}, y su propia espera de {cooldown} no ha pasado."
  },
  "repeat.in-flight": {
   "en": "The same notification is waiting already ({waitsFor}).",
   "nl": "Dezelfde melding wacht al ({waitsFor}).",
   "de": "Dieselbe Mitteilung wartet schon ({waitsFor}).",
   "fr": "La même notification attend déjà ({waitsFor}).",
   "es": "La misma notificación ya está esperando ({waitsFor})."
  },
  "content.filled": {
   "en": "Every placeholder has a field.",
   "nl": "Elke plaatshouder heeft een veld.",
   "de": "Jeder Platzhalter hat ein Feld.",
   "fr": "Chaque espace réservé a un champ.",
   "es": "Cada marcador tiene un campo."
  },
  "content.missing-field": {
   "en": "The region lacks the field {detail} that the text asks for.",
   "nl": "Het gebied mist het veld {detail} waar de tekst om vraagt.",
   "de": "Der Region fehlt das Feld {detail}, das der Text verlangt.",
   "fr": "La région n'a pas le champ {detail} que le texte demande.",
   "es": "A la región le falta el campo {detail} que el texto pide."
  },
  "list.list-taken": {
   "en": "The list {detail} is in force, with {entries} entries.",
   "nl": "De lijst {detail} geldt, met {entries} regels.",
   "de": "Die Liste {detail} gilt, mit {entries} Einträgen.",
   "fr": "La liste {detail} est en vigueur, avec {entries} entrées.",
   "es": "La lista {detail} está en vigor, con {entries} entradas."
  },
  "list.list-older": {
   "en": "The list {detail} has version {version}, and {inForce} is in force.",
   "nl": "De lijst {detail} heeft versie {version}, en {inForce} geldt.",
   "de": "Die Liste {detail} hat Version {version}, und {inForce} gilt.",
   "fr": "La liste {detail} a la version {version}, et {inForce} est en vigueur.",
   "es": "La lista {detail} tiene la versión {version}, y está en vigor {inForce}."
  },
  "revision.newest": {
   "en": "The message is newer than all that is known of {detail}.",
   "nl": "Het bericht is nieuwer dan alles wat van {detail} bekend is.",
   "de": "Die Nachricht ist neuer als alles, was von {detail} bekannt ist.",
   "fr": "Le message est plus récent que tout ce qui est connu de {detail}.",
   "es": "El mensaje es más reciente que todo lo que se sabe de {detail}."
  },
  "revision.duplicate": {
   "en": "The same message came before, at {first}.",
   "nl": "Hetzelfde bericht kwam al eerder, om {first}.",
   "de": "Dieselbe Nachricht kam schon früher, um {first}.",
   "fr": "Le même message est déjà venu, à {first}.",
   "es": "El mismo mensaje ya llegó antes, a las {first}."
  },
  "revision.stale": {
   "en": "Something newer with its correlation key came at {since}.",
   "nl": "Iets nieuwers met dezelfde sleutel kwam om {since}.",
   "de": "Neueres mit demselben Schlüssel kam um {since}.",
   "fr": "Quelque chose de plus récent, de même clé, est venu à {since}.",
   "es": "Algo más reciente con la misma clave llegó a las {since}."
  },
  "revision.retracted": {
   "en": "Its sender took it back, at {since}.",
   "nl": "De afzender heeft het ingetrokken, om {since}.",
   "de": "Der Absender hat sie zurückgenommen, um {since}.",
   "fr": "Son expéditeur l'a retiré, à {since}.",
   "es": "Su remitente lo retiró, a las {since}."
  },
  "rules.list-absent": {
   "en": "The list {detail} is absent that a rule needs to know; the rule says what then.",
   "nl": "De lijst {detail} ontbreekt die een regel nodig heeft; de regel zegt wat dan.",
   "de": "Die Liste {detail} fehlt, die eine Regel braucht; die Regel sagt, was dann gilt.",
   "fr": "La liste {detail} manque, dont une règle a besoin ; la règle dit que faire alors.",
   "es": "Falta la lista {detail} que una regla necesita; la regla dice qué hacer."
  },
  "rules.no-rule": {
   "en": "None of the {rules} rules is about this message.",
   "nl": "Geen van de {rules} regels gaat over dit bericht.",
   "de": "Keine der {rules} Regeln betrifft diese Nachricht.",
   "fr": "Aucune des {rules} règles ne concerne ce message.",
   "es": "Ninguna de las {rules} reglas trata de este mensaje."
  },
  "rules.rule-kept": {
   "en": "The rule {detail} keeps it.",
   "nl": "De regel {detail} houdt het.",
   "de": "Die Regel {detail} behält sie.",
   "fr": "La règle {detail} le garde.",
   "es": "La regla {detail} lo conserva."
  },
  "rules.rule-muted": {
   "en": "The rule {detail} takes its sound away.",
   "nl": "De regel {detail} neemt het geluid weg.",
   "de": "Die Regel {detail} nimmt ihr den Ton.",
   "fr": "La règle {detail} lui ôte le son.",
   "es": "La regla {detail} le quita el sonido."
  },
  "rules.rule-rewritten": {
   "en": "The rule {detail} gives it another text.",
   "nl": "De regel {detail} geeft het een andere tekst.",
   "de": "Die Regel {detail} gibt ihr einen anderen Text.",
   "fr": "La règle {detail} lui donne un autre texte.",
   "es": "La regla {detail} le da otro texto."
  },
  "rules.rule-deferred": {
   "en": "The rule {detail} lets it wait until {until}.",
   "nl": "De regel {detail} laat het wachten tot {until}.",
   "de": "Die Regel {detail} lässt sie bis {until} warten.",
   "fr": "La règle {detail} le fait attendre jusqu'à {until}.",
   "es": "La regla {detail} lo hace esperar hasta las {until}."
  },
  "rules.rule-dropped": {
   "en": "The rule {detail} drops it.",
   "nl": "De regel {detail} laat het vallen.",
   "de": "Die Regel {detail} verwirft sie.",
   "fr": "La règle {detail} l'écarte.",
   "es": "La regla {detail} lo descarta."
  },
  "filter.no-filter": {
   "en": "The app has no filter, or no geotrigger handler.",
   "nl": "De app heeft geen filter, of geen verwerker van geotriggers.",
   "de": "Die App hat keinen Filter oder keinen Empfänger für Geotrigger.",
   "fr": "L'application n'a pas de filtre, ou pas de gestionnaire de geotriggers.",
   "es": "La aplicación no tiene filtro, o no atiende geotriggers."
  },
  "filter.landing-page": {
   "en": "Landing pages skip the filter.",
   "nl": "Landingspagina's slaan het filter over.",
   "de": "Landingpages überspringen den Filter.",
   "fr": "Les pages d'accueil sautent le filtre.",
   "es": "Las páginas de destino se saltan el filtro."
  },
  "filter.asked": {
   "en": "The app was asked, and may answer until {deadline}.",
   "nl": "De app is gevraagd, en mag antwoorden tot {deadline}.",
   "de": "Die App wurde gefragt und darf bis {deadline} antworten.",
   "fr": "L'application a été interrogée, et peut répondre jusqu'à {deadline}.",
   "es": "Se preguntó a la aplicación, que puede responder hasta las {deadline}."
  },
  "filter.kept": {
   "en": "The app kept it.",
   "nl": "De app heeft het gehouden.",
   "de": "Die App hat es behalten.",
   "fr": "L'application l'a gardée.",
   "es": "La aplicación lo conservó."
  },
  "filter.filtered-out": {
   "en": "The app left it out.",
   "nl": "De app heeft het weggelaten.",
   "de": "Die App hat es ausgelassen.",
   "fr": "L'application l'a écartée.",
   "es": "La aplicación lo descartó."
  },
  "filter.deadline-shown": {
   "en": "The app did not answer within {seconds}; the fallback shows the original.",
   "nl": "De app antwoordde niet binnen {seconds}; dan wordt het origineel getoond.",
   "de": "Die App antwortete nicht innerhalb von {seconds}; dann wird das Original gezeigt.",
   "fr": "L'application n'a pas répondu en {seconds} ; l'original est alors montré.",
   "es": "La aplicación no respondió en {seconds}; se muestra el original."
  },
  "filter.deadline-dropped": {
   "en": "The app did not answer within {seconds}; the fallback drops it.",
   "nl": "De app antwoordde niet binnen {seconds}; dan vervalt het.",
   "de": "Die App antwortete nicht innerhalb von {seconds}; dann wird es verworfen.",
   "fr": "L'application n'a pas répondu en {seconds} ; elle est alors écartée.",
   "es": "La aplicación no respondió en {seconds}; se descarta."
  },
  "filter.left": {
   "en": "It was kept at the enter, and the visit ended before its time came.",
   "nl": "Het is bij binnenkomst gehouden, en het bezoek eindigde voor de tijd kwam.",
   "de": "Es wurde beim Eintritt behalten, und der Besuch endete vor seiner Zeit.",
   "fr": "Elle a été gardée à l'entrée, et la visite s'est terminée avant son heure.",
   "es": "Se conservó al entrar, y la visita terminó antes de su hora."
  },
  "filter.restart-dropped": {
   "en": "The process ended before the app answered, and such batches are dropped.",
   "nl": "Het proces eindigde voor de app antwoordde, en zulke vragen vervallen.",
   "de": "Der Prozess endete, bevor die App antwortete, und solche Fragen werden verworfen.",
   "fr": "Le processus s'est terminé avant la réponse de l'application, et de telles demandes sont écartées.",
   "es": "El proceso terminó antes de que la aplicación respondiera, y esas consultas se descartan."
  },
  "strategies.agreed": {
   "en": "Every strategy agrees: {strategies}.",
   "nl": "Elke strategie is het eens: {strategies}.",
   "de": "Jede Strategie ist einverstanden: {strategies}.",
   "fr": "Toutes les stratégies sont d'accord : {strategies}.",
   "es": "Todas las estrategias están de acuerdo: {strategies}."
  },
  "strategies.vetoed": {
   "en": "The strategy {detail} has said no.",
   "nl": "De strategie {detail} heeft nee gezegd.",
   "de": "Die Strategie {detail} hat nein gesagt.",
   "fr": "La stratégie {detail} a dit non.",
   "es": "La estrategia {detail} ha dicho que no."
  },
  "cooldown.allowed": {
   "en": "No global cooldown is running.",
   "nl": "Er loopt geen algemene wachttijd.",
   "de": "Es läuft keine allgemeine Wartezeit.",
   "fr": "Aucun délai général ne court.",
   "es": "No corre ninguna espera general."
  },
  "cooldown.global-cooldown": {
   "en": "Another notification was shown at {lastShown}, and {cooldown} must pass between two.",
   "nl": "Een andere melding is getoond om {lastShown}, en tussen twee moet {cooldown} zitten.",
   "de": "Eine andere Mitteilung wurde um {lastShown} gezeigt, und zwischen zweien müssen {cooldown} liegen.",
   "fr": "Une autre notification a été montrée à {lastShown}, et {cooldown} doivent séparer deux d'entre elles.",
   "es": "Otra notificación se mostró a las {lastShown}, y entre dos deben pasar {cooldown}."
  },
  "caps.within-caps": {
   "en": "Every cap has room for one more.",
   "nl": "Elk maximum heeft ruimte voor nog een.",
   "de": "Jede Obergrenze hat Platz für eine weitere.",
   "fr": "Chaque plafond a de la place pour une de plus.",
   "es": "Cada tope tiene sitio para una más."
  },
  "caps.capped": {
   "en": "The cap {detail} is full: {count} of {limit}.",
   "nl": "Het maximum {detail} is bereikt: {count} van {limit}.",
   "de": "Die Obergrenze {detail} ist erreicht: {count} von {limit}.",
   "fr": "Le plafond {detail} est atteint : {count} sur {limit}.",
   "es": "El tope {detail} está lleno: {count} de {limit}."
  },
  "quiet.not-quiet": {
   "en": "No quiet hours are on.",
   "nl": "Er zijn geen stille uren.",
   "de": "Es sind keine Ruhezeiten.",
   "fr": "Ce ne sont pas des heures calmes.",
   "es": "No son horas de silencio."
  },
  "quiet.quiet-hours": {
   "en": "Quiet hours are on ({detail}), and it does not wait: the clock shows {localTime} ({zone}).",
   "nl": "Het zijn stille uren ({detail}), en het wacht niet: de klok wijst {localTime} ({zone}).",
   "de": "Es sind Ruhezeiten ({detail}), und es wartet nicht: die Uhr zeigt {localTime} ({zone}).",
   "fr": "Ce sont des heures calmes ({detail}), et elle n'attend pas : il est {localTime} ({zone}).",
   "es": "Son horas de silencio ({detail}), y no espera: son las {localTime} ({zone})."
  },
  "quiet.quiet-held": {
   "en": "Quiet hours are on ({detail}), and it waits for their end at {until}.",
   "nl": "Het zijn stille uren ({detail}), en het wacht op het einde om {until}.",
   "de": "Es sind Ruhezeiten ({detail}), und es wartet auf ihr Ende um {until}.",
   "fr": "Ce sont des heures calmes ({detail}), et elle attend leur fin à {until}.",
   "es": "Son horas de silencio ({detail}), y espera su fin a las {until}."
  },
  "quiet.left": {
   "en": "The visit ended before the quiet hours did.",
   "nl": "Het bezoek eindigde voor de stille uren.",
   "de": "Der Besuch endete vor den Ruhezeiten.",
   "fr": "La visite s'est terminée avant les heures calmes.",
   "es": "La visita terminó antes que las horas de silencio."
  },
  "quiet.campaign-removed": {
   "en": "It waited for the end of quiet hours; a new feed has taken its campaign away, here or everywhere.",
   "nl": "Het wachtte op het einde van de stille uren; een nieuwe feed heeft de campagne weggenomen, hier of overal.",
   "de": "Es wartete auf das Ende der Ruhezeiten; ein neuer Feed hat die Kampagne weggenommen, hier oder ganz.",
   "fr": "Elle attendait la fin des heures calmes ; un nouveau flux a retiré sa campagne, ici ou partout.",
   "es": "Esperaba el fin de las horas de silencio; un feed nuevo ha quitado su campaña, aquí o del todo."
  },
  "quiet.disabled": {
   "en": "It waited for the end of quiet hours, and the engine was disabled.",
   "nl": "Het wachtte op het einde van de stille uren, en de engine is uitgeschakeld.",
   "de": "Es wartete auf das Ende der Ruhezeiten, und die Engine wurde ausgeschaltet.",
   "fr": "Elle attendait la fin des heures calmes, et le moteur a été désactivé.",
   "es": "Esperaba el fin de las horas de silencio, y el motor fue desactivado."
  },
  "slot.free": {
   "en": "There is a place on the screen, or one has been made.",
   "nl": "Er is een plaats op het scherm, of die is gemaakt.",
   "de": "Auf dem Bildschirm ist ein Platz, oder es wurde einer geschaffen.",
   "fr": "Il y a une place à l'écran, ou on en a fait une.",
   "es": "Hay un sitio en la pantalla, o se ha hecho uno."
  },
  "slot.slot-full": {
   "en": "Every slot is taken by a notification that it may not replace: {displayed} of {slots}.",
   "nl": "Elke plaats is bezet door een melding die het niet mag vervangen: {displayed} van {slots}.",
   "de": "Jeder Platz ist von einer Mitteilung belegt, die es nicht ersetzen darf: {displayed} von {slots}.",
   "fr": "Chaque place est prise par une notification qu'elle ne peut remplacer : {displayed} sur {slots}.",
   "es": "Cada sitio lo ocupa una notificación que no puede sustituir: {displayed} de {slots}."
  },
  "slot.excluded": {
   "en": "Another one[ of its exclusion group {group}] is on the screen: {detail}.",
   "nl": "Een andere[ van de uitsluitingsgroep {group}] is op het scherm: {detail}.",
   "de": "Eine andere[ ihrer Ausschlussgruppe {group}] ist auf dem Bildschirm: {detail}.",
   "fr": "Une autre[ de son groupe d'exclusion {group}] est à l'écran : {detail}.",
   "es": "Otra[ de su grupo de exclusión {group}] está en la pantalla: {detail}."
  },
  "slot.outranked": {
   "en": "A better one[ of its exclusion group {group}] came at the same time, or shortly before: {detail}.",
   "nl": "Een betere[ van de uitsluitingsgroep {group}] kwam tegelijk, of kort tevoren: {detail}.",
   "de": "Eine bessere[ ihrer Ausschlussgruppe {group}] kam gleichzeitig oder kurz zuvor: {detail}.",
   "fr": "Une meilleure[ de son groupe d'exclusion {group}] est venue en même temps, ou peu avant : {detail}.",
   "es": "Una mejor[ de su grupo de exclusión {group}] llegó al mismo tiempo, o poco antes: {detail}."
  },
  "slot.coalesced": {
   "en": "It came together with others of its group {group}; {detail} stands for all.",
   "nl": "Het kwam samen met andere van de groep {group}; {detail} staat voor allemaal.",
   "de": "Es kam zusammen mit anderen der Gruppe {group}; {detail} steht für alle.",
   "fr": "Elle est venue avec d'autres de son groupe {group} ; {detail} les représente toutes.",
   "es": "Llegó junto con otras de su grupo {group}; {detail} las representa a todas."
  },
  "slot.welcome-alone": {
   "en": "The welcome {detail} of the same instant wants to be alone.",
   "nl": "Het welkom {detail} van hetzelfde moment wil alleen zijn.",
   "de": "Das Willkommen {detail} desselben Augenblicks will allein sein.",
   "fr": "L'accueil {detail} du même instant veut être seul.",
   "es": "La bienvenida {detail} del mismo instante quiere estar sola."
  },
  "holdout.held-out": {
   "en": "All speaks for showing it, but the person is in the holdout group {detail}: number {draw}, and below {limit}.",
   "nl": "Alles pleit ervoor om het te tonen, maar de persoon zit in de controlegroep {detail}: nummer {draw}, onder {limit}.",
   "de": "Alles spricht dafür, es zu zeigen, aber die Person ist in der Kontrollgruppe {detail}: Nummer {draw}, unter {limit}.",
   "fr": "Tout plaide pour la montrer, mais la personne est dans le groupe témoin {detail} : numéro {draw}, en dessous de {limit}.",
   "es": "Todo aconseja mostrarla, pero la persona está en el grupo de control {detail}: número {draw}, por debajo de {limit}."
  },
  "holdout.drawn": {
   "en": "The person is not in the holdout group {detail}: number {draw}, and not below {limit}.",
   "nl": "De persoon zit niet in de controlegroep {detail}: nummer {draw}, niet onder {limit}.",
   "de": "Die Person ist nicht in der Kontrollgruppe {detail}: Nummer {draw}, nicht unter {limit}.",
   "fr": "La personne n'est pas dans le groupe témoin {detail} : numéro {draw}, pas en dessous de {limit}.",
   "es": "La persona no está en el grupo de control {detail}: número {draw}, no por debajo de {limit}."
  },
  "holdout.no-draw": {
   "en": "Nobody is held out: the property {detail} has no text and no whole number.",
   "nl": "Niemand wordt weggehouden: de eigenschap {detail} heeft geen tekst en geen geheel getal.",
   "de": "Niemand wird herausgehalten: Die Eigenschaft {detail} hat keinen Text und keine ganze Zahl.",
   "fr": "Personne n'est écarté : la propriété {detail} n'a ni texte ni nombre entier.",
   "es": "No se aparta a nadie: la propiedad {detail} no tiene texto ni número entero."
  },
  "attachment.attached": {
   "en": "The attachment {detail} can be shown.",
   "nl": "De bijlage {detail} kan getoond worden.",
   "de": "Der Anhang {detail} kann gezeigt werden.",
   "fr": "La pièce jointe {detail} peut être montrée.",
   "es": "El adjunto {detail} se puede mostrar."
  },
  "attachment.attachment-kind": {
   "en": "The attachment {detail} is of no kind that can be shown ({type}); the rest is.",
   "nl": "De bijlage {detail} is van geen soort die getoond kan worden ({type}); de rest wel.",
   "de": "Der Anhang {detail} ist von keiner Art, die gezeigt werden kann ({type}); der Rest schon.",
   "fr": "La pièce jointe {detail} n'est d'aucun type montrable ({type}) ; le reste l'est.",
   "es": "El adjunto {detail} no es de un tipo que se pueda mostrar ({type}); el resto sí."
  },
  "attachment.attachment-size": {
   "en": "The attachment {detail} has {size} bytes, more than the {limit} of its kind; the rest is shown.",
   "nl": "De bijlage {detail} heeft {size} bytes, meer dan de {limit} van haar soort; de rest wordt getoond.",
   "de": "Der Anhang {detail} hat {size} Bytes, mehr als die {limit} seiner Art; der Rest wird gezeigt.",
   "fr": "La pièce jointe {detail} a {size} octets, plus que les {limit} de son type ; le reste est montré.",
   "es": "El adjunto {detail} tiene {size} bytes, más que los {limit} de su tipo; el resto se muestra."
  },
  "attachment.attachment-unreadable": {
   "en": "The attachment {detail} is no file here that can be read; the rest is shown.",
   "nl": "De bijlage {detail} is hier geen leesbaar bestand; de rest wordt getoond.",
   "de": "Der Anhang {detail} ist hier keine lesbare Datei; der Rest wird gezeigt.",
   "fr": "La pièce jointe {detail} n'est pas un fichier lisible ici ; le reste est montré.",
   "es": "El adjunto {detail} no es aquí un archivo legible; el resto se muestra."
  },
  "suppress.placeholder": {
   "en": "It must not be shown, and this host cannot suppress it: another text stands for it.",
   "nl": "Het mag niet getoond worden, en deze host kan het niet tegenhouden: een andere tekst staat ervoor.",
   "de": "Es darf nicht gezeigt werden, und dieser Host kann es nicht zurückhalten: ein anderer Text steht dafür.",
   "fr": "Il ne doit pas être montré, et cet hôte ne peut le retenir : un autre texte le remplace.",
   "es": "No debe mostrarse, y este anfitrión no puede retenerlo: otro texto lo sustituye."
  },
  "suppress.silent": {
   "en": "It must not be shown, and this host cannot suppress it: it is shown without sound.",
   "nl": "Het mag niet getoond worden, en deze host kan het niet tegenhouden: het komt zonder geluid.",
   "de": "Es darf nicht gezeigt werden, und dieser Host kann es nicht zurückhalten: es kommt ohne Ton.",
   "fr": "Il ne doit pas être montré, et cet hôte ne peut le retenir : il est montré sans son.",
   "es": "No debe mostrarse, y este anfitrión no puede retenerlo: se muestra sin sonido."
  },
  "show.shown": {
   "en": "The host has shown it, or the geotrigger is handled.",
   "nl": "De host heeft het getoond, of de geotrigger is verwerkt.",
   "de": "Der Host hat es gezeigt, oder der Geotrigger ist erledigt.",
   "fr": "L'hôte l'a montrée, ou le geotrigger est traité.",
   "es": "El anfitrión lo ha mostrado, o el geotrigger está atendido."
  },
  "show.show-failed": {
   "en": "The host could not show it; it is not used up.",
   "nl": "De host kon het niet tonen; het is niet opgebruikt.",
   "de": "Der Host konnte es nicht zeigen; es ist nicht verbraucht.",
   "fr": "L'hôte n'a pas pu la montrer ; elle n'est pas consommée.",
   "es": "El anfitrión no pudo mostrarlo; no se ha gastado."
  },
  "show.left": {
   "en": "Its turn had come, but the place was left before; its campaign shows it there only.",
   "nl": "Ze was aan de beurt, maar de plek was al verlaten; haar campagne toont haar alleen daar.",
   "de": "Sie war an der Reihe, doch der Ort war schon verlassen; ihre Kampagne zeigt sie nur dort.",
   "fr": "C'était son tour, mais le lieu avait été quitté ; sa campagne ne la montre que là.",
   "es": "Era su turno, pero ya se había salido del lugar; su campaña solo la muestra allí."
  },
  "show.ended": {
   "en": "Its turn had come, but its campaign has ended.",
   "nl": "Ze was aan de beurt, maar haar campagne is afgelopen.",
   "de": "Sie war an der Reihe, doch ihre Kampagne ist zu Ende.",
   "fr": "C'était son tour, mais sa campagne est terminée.",
   "es": "Era su turno, pero su campaña ha terminado."
  },
  "show.campaign-removed": {
   "en": "Its turn had come; a new feed has taken its campaign away, here or everywhere.",
   "nl": "Ze was aan de beurt; een nieuwe feed heeft haar campagne weggehaald, hier of overal.",
   "de": "Sie war an der Reihe; ein neuer Feed hat ihre Kampagne entfernt, hier oder überall.",
   "fr": "C'était son tour ; un nouveau flux a retiré sa campagne, ici ou partout.",
   "es": "Era su turno; un nuevo feed ha retirado su campaña, aquí o en todas partes."
  },
  "show.expired": {
   "en": "Its turn had come after the time at which it expires.",
   "nl": "Ze was aan de beurt na het tijdstip waarop ze verloopt.",
   "de": "Sie war erst nach ihrem Ablauf an der Reihe.",
   "fr": "Son tour est venu après l'heure de son expiration.",
   "es": "Su turno llegó después de la hora en que caduca."
  },
  "remove.removed": {
   "en": "The host has taken it off the screen ({cause}).",
   "nl": "De host heeft het van het scherm gehaald ({cause}).",
   "de": "Der Host hat es vom Bildschirm genommen ({cause}).",
   "fr": "L'hôte l'a retirée de l'écran ({cause}).",
   "es": "El anfitrión lo ha quitado de la pantalla ({cause})."
  },
  "remove.remove-failed": {
   "en": "The host could not take it off the screen ({cause}).",
   "nl": "De host kon het niet van het scherm halen ({cause}).",
   "de": "Der Host konnte es nicht vom Bildschirm nehmen ({cause}).",
   "fr": "L'hôte n'a pas pu la retirer de l'écran ({cause}).",
   "es": "El anfitrión no pudo quitarlo de la pantalla ({cause})."
  },
  "remove.cannot-remove": {
   "en": "This host cannot take anything off the screen ({cause}).",
   "nl": "Deze host kan niets van het scherm halen ({cause}).",
   "de": "Dieser Host kann nichts vom Bildschirm nehmen ({cause}).",
   "fr": "Cet hôte ne peut rien retirer de l'écran ({cause}).",
   "es": "Este anfitrión no puede quitar nada de la pantalla ({cause})."
  },
  "remove.vetoed": {
   "en": "The strategy {detail} wants it to stay ({cause}).",
   "nl": "De strategie {detail} wil dat het blijft ({cause}).",
   "de": "Die Strategie {detail} will, dass es bleibt ({cause}).",
   "fr": "La stratégie {detail} veut qu'elle reste ({cause}).",
   "es": "La estrategia {detail} quiere que se quede ({cause})."
  },
  "explain.disabled": {
   "en": "The engine is disabled: it follows no places.",
   "nl": "De engine is uitgeschakeld: ze volgt geen plaatsen.",
   "de": "Die Engine ist ausgeschaltet: sie folgt keinen Orten.",
   "fr": "Le moteur est désactivé : il ne suit aucun lieu.",
   "es": "El motor está desactivado: no sigue ningún lugar."
  },
  "explain.not-at-region": {
   "en": "The campaign is not at this region.",
   "nl": "De campagne hoort niet bij dit gebied.",
   "de": "Die Kampagne gehört nicht zu dieser Region.",
   "fr": "La campagne n'est pas dans cette région.",
   "es": "La campaña no está en esta región."
  },
  "explain.no-fix": {
   "en": "Nothing is known yet of where the device is.",
   "nl": "Er is nog niets bekend over waar het apparaat is.",
   "de": "Noch ist nichts darüber bekannt, wo das Gerät ist.",
   "fr": "On ne sait encore rien du lieu où est l'appareil.",
   "es": "Aún no se sabe nada de dónde está el dispositivo."
  },
  "explain.not-inside": {
   "en": "The device is not inside the region[: the newest fix is {distance} m away].",
   "nl": "Het apparaat is niet in het gebied[: de nieuwste positie is {distance} m ervandaan].",
   "de": "Das Gerät ist nicht in der Region[: die neueste Position ist {distance} m entfernt].",
   "fr": "L'appareil n'est pas dans la région[ : la dernière position en est à {distance} m].",
   "es": "El dispositivo no está dentro de la región[: la última posición está a {distance} m]."
  },
  "explain.entering": {
   "en": "The region seems to be entered since {since}, and that is not sure yet: {fixes} of {needed} fixes.",
   "nl": "Het gebied lijkt betreden sinds {since}, en dat is nog niet zeker: {fixes} van {needed} posities.",
   "de": "Die Region scheint seit {since} betreten, und das ist noch nicht sicher: {fixes} von {needed} Positionen.",
   "fr": "La région semble franchie depuis {since}, ce qui n'est pas encore sûr : {fixes} positions sur {needed}.",
   "es": "Parece que se entró en la región a las {since}, y aún no es seguro: {fixes} de {needed} posiciones."
  },
  "explain.silent": {
   "en": "The device was found inside at {since}, which is no enter: it waits for the next visit.",
   "nl": "Het apparaat was al binnen om {since}, en dat is geen binnenkomst: het wacht op het volgende bezoek.",
   "de": "Das Gerät war um {since} schon innen, und das ist kein Eintritt: es wartet auf den nächsten Besuch.",
   "fr": "L'appareil était déjà dedans à {since}, ce qui n'est pas une entrée : elle attend la prochaine visite.",
   "es": "El dispositivo ya estaba dentro a las {since}, y eso no es una entrada: espera la próxima visita."
  },
  "explain.dwelling": {
   "en": "It waits until {until}, when the visit has lasted {minutes} min.",
   "nl": "Het wacht tot {until}, als het bezoek {minutes} min heeft geduurd.",
   "de": "Es wartet bis {until}, wenn der Besuch {minutes} min gedauert hat.",
   "fr": "Elle attend {until}, quand la visite aura duré {minutes} min.",
   "es": "Espera hasta las {until}, cuando la visita haya durado {minutes} min."
  },
  "explain.time-of-day": {
   "en": "It waits until {until}, when clocks show {insideAt}, if the visit lasts till then.",
   "nl": "Het wacht tot {until}, als de klok {insideAt} wijst en het bezoek dan nog duurt.",
   "de": "Es wartet bis {until}, wenn die Uhr {insideAt} zeigt und der Besuch noch dauert.",
   "fr": "Elle attend {until}, quand il sera {insideAt}, si la visite dure jusque-là.",
   "es": "Espera hasta las {until}, cuando sean las {insideAt}, si la visita dura hasta entonces."
  },
  "explain.exit": {
   "en": "It waits for the exit: the device is inside since {since}.",
   "nl": "Het wacht op het vertrek: het apparaat is binnen sinds {since}.",
   "de": "Es wartet auf den Austritt: das Gerät ist seit {since} innen.",
   "fr": "Elle attend la sortie : l'appareil est dedans depuis {since}.",
   "es": "Espera la salida: el dispositivo está dentro desde las {since}."
  },
  "explain.counted": {
   "en": "The trigger of the visit that began at {since} has come already: it waits for the next visit.",
   "nl": "De trigger van het bezoek dat om {since} begon is al geweest: het wacht op het volgende bezoek.",
   "de": "Der Auslöser des Besuchs, der um {since} begann, ist schon gewesen: es wartet auf den nächsten Besuch.",
   "fr": "Le déclencheur de la visite commencée à {since} a déjà eu lieu : elle attend la prochaine visite.",
   "es": "El disparador de la visita que empezó a las {since} ya ha pasado: espera la próxima visita."
  },
  "explain.absence": {
   "en": "It waits until {until}, if none of its regions is visited till then; it counts from {since}.",
   "nl": "Het wacht tot {until}, als geen van zijn gebieden tot dan bezocht wordt; het telt vanaf {since}.",
   "de": "Es wartet bis {until}, wenn bis dahin keine seiner Regionen besucht wird; es zählt ab {since}.",
   "fr": "Elle attend {until}, si aucune de ses régions n'est visitée d'ici là ; elle compte depuis {since}.",
   "es": "Espera hasta las {until}, si hasta entonces no se visita ninguna de sus regiones; cuenta desde las {since}."
  },
  "explain.absence-told": {
   "en": "The absence was reported at {since}: it waits for the next visit, and counts from its end.",
   "nl": "De afwezigheid is gemeld om {since}: het wacht op het volgende bezoek, en telt vanaf het einde daarvan.",
   "de": "Die Abwesenheit wurde um {since} gemeldet: es wartet auf den nächsten Besuch und zählt ab dessen Ende.",
   "fr": "L'absence a été signalée à {since} : elle attend la prochaine visite, et compte depuis sa fin.",
   "es": "La ausencia se comunicó a las {since}: espera la próxima visita, y cuenta desde su final."
  },
  "explain.no-trip": {
   "en": "It waits for a trip to this region, and there is none.",
   "nl": "Het wacht op een reis naar dit gebied, en er is geen.",
   "de": "Es wartet auf eine Fahrt zu dieser Region, und es gibt keine.",
   "fr": "Elle attend un trajet vers cette région, et il n'y en a pas.",
   "es": "Espera un viaje a esta región, y no hay ninguno."
  },
  "explain.trip": {
   "en": "The trip {trip} goes there since {since}: it waits for what its trigger says ({tripEvent}).",
   "nl": "De reis {trip} gaat erheen sinds {since}: het wacht op wat de trigger zegt ({tripEvent}).",
   "de": "Die Fahrt {trip} führt seit {since} dorthin: es wartet auf das, was der Auslöser sagt ({tripEvent}).",
   "fr": "Le trajet {trip} y mène depuis {since} : elle attend ce que dit son déclencheur ({tripEvent}).",
   "es": "El viaje {trip} va hacia allí desde las {since}: espera lo que dice su disparador ({tripEvent})."
  },
  "explain.showing": {
   "en": "The host was asked to show it, and has not answered yet.",
   "nl": "De host is gevraagd het te tonen, en heeft nog niet geantwoord.",
   "de": "Der Host wurde gebeten, es zu zeigen, und hat noch nicht geantwortet.",
   "fr": "L'hôte a été prié de la montrer, et n'a pas encore répondu.",
   "es": "Se pidió al anfitrión que lo mostrara, y aún no ha respondido."
  },
  "explain.turn": {
   "en": "It has passed the filter, and waits for its turn.",
   "nl": "Het is door het filter, en wacht op zijn beurt.",
   "de": "Es hat den Filter passiert und wartet, bis es an der Reihe ist.",
   "fr": "Elle a passé le filtre, et attend son tour.",
   "es": "Ha pasado el filtro, y espera su turno."
  },
  "explain.shown": {
   "en": "It was shown at {lastShown}.",
   "nl": "Het is getoond om {lastShown}.",
   "de": "Es wurde um {lastShown} gezeigt.",
   "fr": "Elle a été montrée à {lastShown}.",
   "es": "Se mostró a las {lastShown}."
  },
  "explain.next": {
   "en": "{sentence}; it could be shown at {next} at the earliest.",
   "nl": "{sentence}; het kan op zijn vroegst om {next} getoond worden.",
   "de": "{sentence}; frühestens um {next} könnte es gezeigt werden.",
   "fr": "{sentence} ; elle pourrait être montrée à {next} au plus tôt.",
   "es": "{sentence}; podría mostrarse a las {next} como muy pronto."
  }
 }
}
"""#
}
