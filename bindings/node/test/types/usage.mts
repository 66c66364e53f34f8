import plotengine, { Engine, LATER } from 'plotengine';
import { createPlot } from 'plotengine/cordova';
import { createTitanium } from 'plotengine/titanium';
import { createPlotProjects } from 'plotengine/react-native';

const engine: Engine = new plotengine.Engine({ onFilter: () => LATER });
engine.close();
createPlot().plot.enable();
createTitanium().plot.enable();
createPlotProjects().PlotProjects.enable();
