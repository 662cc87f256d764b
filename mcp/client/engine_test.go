package client

func runEngine(string) {}
