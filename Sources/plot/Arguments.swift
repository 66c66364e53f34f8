public import ArgumentParser
public import PlotCore

extension NoisePolicy: ExpressibleByArgument {}
extension InitialPolicy: ExpressibleByArgument {}
