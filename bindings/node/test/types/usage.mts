import plotengine, { Engine, LATER } from 'plotengine';
import { createPlot } from 'plotengine/cordova';
import { createTitanium } from 'plotengine/titanium';
import { createPlotProjects } from 'plotengine/react-native';
import { start, NativeModules, Platform } from 'plotengine/react-native/native';

const engine: Engine = new plotengine.Engine({ onFilter: () => LATER });
engine.close();
createPlot().plot.enable();
createTitanium().plot.enable();
createPlotProjects().PlotProjects.enable();
const phone = start({ log: () => {} });
phone.on('late', () => {});
NativeModules.PlotProjectsReactModule.enable();
const system: string | undefined = Platform.select({ android: 'a', default: 'b' });
phone.openNotification(system ?? '');
phone.close();
